//===- GroupMultiplyEmitter.cpp - Products of warpgroups ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Matrices/GroupMultiplyEmitter.h"

#include "Emulator/Translate/RuleWords.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> GroupMultiplyEmitter::rules() {
  using E = GroupMultiplyEmitter;
  static const Rule table[] = {
      {"wgmma", "f16 f32", "mma_async|sync|aligned|m64nNk16", "", 6, 8,
       &E::emitGroupMultiply, 3},
      {"wgmma", "bf16 f32", "mma_async|sync|aligned|m64nNk16", "", 6, 8,
       &E::emitGroupMultiply, 3},
      {"wgmma", "tf32 f32", "mma_async|sync|aligned|m64nNk8", "", 6, 6,
       &E::emitGroupMultiply, 3},
      {"wgmma", "e4m3 e5m2 f16 f32", "mma_async|sync|aligned|m64nNk32", "", 6,
       6, &E::emitGroupMultiply, 3},
      {"wgmma", "s8 u8 s32", "mma_async|sync|aligned|m64nNk32", "satfinite", 4,
       4, &E::emitGroupMultiply, 3},
  };
  return table;
}

/// 1 or -1: whether an operand is negated.
bool GroupMultiplyEmitter::readSign(Op op, const Operand &operand) {
  bool isSign = operand.kind == Operand::Integer &&
                (operand.integer == 1 || operand.integer == ~uint64_t(0));
  if (!isSign)
    f.fail(op, "expected 1 or -1 as the scale of an operand");
  return operand.integer != 1;
}

/// 0 or 1: whether an operand is transposed.
bool GroupMultiplyEmitter::readFlag(Op op, const Operand &operand) {
  if (operand.kind != Operand::Integer || operand.integer > 1)
    f.fail(op, "expected 0 or 1 for the order of an operand");
  return operand.integer != 0;
}

/// The number of columns in a shape like m64n128k16; 0 if there are no such
/// products. Those of integers have multiples of 16 columns, or 8 or 24.
static uint32_t columnsOf(const Instruction &op, bool areIntegers) {
  constexpr size_t kMostDigits = 3;
  constexpr uint32_t kMostColumns = 256;
  for (Name name : op.modifiers) {
    if (name.substr(0, 4) != "m64n")
      continue;
    Name digits = name.substr(4, name.find('k') - 4);
    uint32_t columns =
        digits.size() > kMostDigits ? 0 : std::stoi(std::string(digits));
    bool isEven = columns % 16 == 0 || columns == 8 || columns == 24;
    return columns <= kMostColumns && columns % 8 == 0 &&
                   (isEven || !areIntegers)
               ? columns
               : 0;
  }
  return 0;
}

/// wgmma.mma_async: D, A (registers or a descriptor), B (a descriptor), whether
/// D is added; of floats the scales of A and B, and of 16 bits the orders of
/// those that are in shared memory.
void GroupMultiplyEmitter::emitGroupMultiply(Op op) {
  std::vector<MatrixElement> types = matrices.elementTypes();
  GroupMultiply multiply = {};
  multiply.d = types[0];
  multiply.a = types[1];
  multiply.b = types[2];
  if (!goTogether(multiply.a, multiply.b) || !isSumOf(multiply.d, multiply.a))
    f.fail(op, "its types do not go together");
  bool hasRegisters = op.operands[1].kind == Operand::Vector;
  bool hasOrders = bitsOf(multiply.a) == 16, hasScales = !isInteger(multiply.a);
  size_t orders = hasOrders ? (hasRegisters ? 1 : 2) : 0;
  size_t expected = 4 + (hasScales ? 2 : 0) + orders;
  if (op.operands.size() != expected)
    f.fail(op, "expected " + std::to_string(expected) + " operands, got " +
                   std::to_string(op.operands.size()));
  if (hasScales) {
    multiply.isNegatedA = readSign(op, op.operands[4]);
    multiply.isNegatedB = readSign(op, op.operands[5]);
  }
  if (orders == 2)
    multiply.isTransposedA = readFlag(op, op.operands[6]);
  if (orders > 0)
    multiply.isTransposedB = readFlag(op, op.operands.back());
  uint32_t columns = columnsOf(op, !hasScales);
  if (columns == 0)
    f.fail(op, "its types do not go with its shape");
  // The fields of a GroupMultiply.
  Value *fields = matrices.constantWords(
      {uint32_t(multiply.a), uint32_t(multiply.b), uint32_t(multiply.d),
       columns, hasRegisters, multiply.isTransposedA, multiply.isTransposedB,
       multiply.isNegatedA, multiply.isNegatedB, f.has("satfinite"),
       static_cast<uint32_t>(op.line)});
  ScalarType wide;
  wide.bits = 64;
  Value *none = b.getInt64(0);
  Value *words = hasRegisters
                     ? matrices.readRegisters(op, op.operands[1], 4, 32)
                     : llvm::ConstantPointerNull::get(b.getPtrTy());
  Value *a = hasRegisters ? none : f.readBits(op, op.operands[1], wide);
  Value *with = f.readBits(op, op.operands[2], wide);
  Value *adds =
      b.CreateZExt(f.readPredicate(op, op.operands[3]), b.getInt32Ty());
  unsigned registers = columns / (bitsOf(multiply.d) == 16 ? 4 : 2);
  constexpr unsigned kMostRegisters = 128;
  if (!groupWords)
    groupWords =
        f.scratch(llvm::ArrayType::get(b.getInt64Ty(), kMostRegisters));
  matrices.readRegistersTo(groupWords, op, op.operands[0], registers, 32);
  f.meeting("heteroEmuGroupMultiply", b.getVoidTy(),
            {f.context, fields, words, a, with, adds, groupWords});
  matrices.writeRegisters(op, op.operands[0], registers, 32, groupWords);
  // Of the whole product, a lane's share.
  if (hasScales)
    f.count(kCountedFlops,
            b.getInt64(uint64_t(2) * 64 * columns * multiply.depth() / 128));
}
