//===- KernelSmallFloat.cpp - Floating point of 8 bits and less -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of these formats come in pairs, and are converted and nothing else.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"
#include "Emulator/Translate/Math.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

namespace {
struct NamedFormat {
  Name name;
  SmallFormat format;
  unsigned bits; ///< That an element takes.
};
} // namespace

static constexpr NamedFormat kFormats[] = {
    {"e4m3x2", SmallFormat::E4M3, 8}, {"e5m2x2", SmallFormat::E5M2, 8},
    {"e2m1x2", SmallFormat::E2M1, 4}, {"e2m3x2", SmallFormat::E2M3, 8},
    {"e3m2x2", SmallFormat::E3M2, 8}, {"ue8m0x2", SmallFormat::UE8M0, 8}};

/// The format among the types, which stands before or after the other one.
static const NamedFormat *findFormat(const Instruction &op, bool isFirst) {
  ScalarType unused;
  bool hasOther = false;
  for (Name name : op.modifiers) {
    for (const NamedFormat &format : kFormats)
      if (name == format.name)
        return hasOther != isFirst ? &format : nullptr;
    hasOther |= parseScalarType(name, unused);
  }
  return nullptr;
}

/// cvt: two numbers of f32, or a pair, into a pair. The first goes to the high
/// part.
void KernelTranslator::emitToSmall(Op op) {
  const NamedFormat *format = findFormat(op, /*isFirst=*/true);
  if (!format)
    fail(op, "its types do not go together");
  ScalarType from = type(op);
  Value *numbers[2];
  if (from.elements == 1) {
    for (unsigned i = 0; i < 2; ++i)
      numbers[i] = read(op, op.operands[1 + i], from);
  } else {
    Value *pair = widen(read(op, op.operands[1], from));
    for (unsigned i = 0; i < 2; ++i)
      numbers[i] = b.CreateExtractElement(pair, 1 - i);
  }
  uint32_t flags = (has("relu") ? kSmallRelu : 0) | (has("rp") ? kSmallUp : 0) |
                   (has("satfinite") ? kSmallFinite : 0);
  Value *result = b.getInt32(0);
  for (Value *number : numbers)
    result = b.CreateOr(b.CreateShl(result, format->bits),
                        callback("heteroPtxToSmall", b.getInt32Ty(),
                                 {number, b.getInt32(uint32_t(format->format)),
                                  b.getInt32(flags)}));
  write(op, op.operands[0], b.CreateTrunc(result, bitsType(2 * format->bits)));
}

/// cvt: a pair into one of f16 or bf16, which have all its numbers.
void KernelTranslator::emitFromSmall(Op op) {
  const NamedFormat *format = findFormat(op, /*isFirst=*/false);
  if (!format)
    fail(op, "its types do not go together");
  ScalarType to = type(op), half = to, source;
  half.elements = 1;
  source.bits = 2 * format->bits;
  Value *bits =
      b.CreateZExt(readBits(op, op.operands[1], source), b.getInt32Ty());
  Value *pair = llvm::PoisonValue::get(valueType(to));
  for (unsigned i = 0; i < 2; ++i) {
    Value *element = b.CreateAnd(b.CreateLShr(bits, i * format->bits),
                                 (1u << format->bits) - 1);
    Value *number = callback("heteroPtxFromSmall", b.getFloatTy(),
                             {element, b.getInt32(uint32_t(format->format))});
    Value *isNaN = b.CreateFCmpUNO(number, number);
    Value *result =
        b.CreateSelect(isNaN, b.getInt16(0x7fff),
                       b.CreateBitCast(narrow(number, half), b.getInt16Ty()));
    pair = b.CreateInsertElement(pair, b.CreateBitCast(result, valueType(half)),
                                 i);
  }
  write(op, op.operands[0], finishFloat(pair, to));
}
