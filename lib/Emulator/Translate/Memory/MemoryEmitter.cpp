//===- MemoryEmitter.cpp - Moves, loads and stores ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Memory/MemoryEmitter.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/Translate/RuleWords.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> MemoryEmitter::rules() {
  using E = MemoryEmitter;
  static const Rule table[] = {
      {"mov", "pred b8 b128 " SCALARS, "", "", 2, 2, &E::emitMov},
      {"mov", SCALARS, "v2 v4", "", 2, 2, &E::emitMovOfVectors},
      {"cvta", "u32 u64", "global " BLOCK_SPACES " local param const", "to", 2,
       2, &E::emitCvta},
      {"isspacep", "", "global const " BLOCK_SPACES " local param", "", 2, 2,
       &E::emitIsSpace},
      {"ld ldu", MEMORY_TYPES, "",
       SPACES " " SCOPES " " ORDERS " " HINTS " v2 v4 v8", 2, 3, &E::emitLoad},
      {"st", MEMORY_TYPES, "",
       SPACES " " SCOPES " " ORDERS " " HINTS " v2 v4 v8", 2, 3, &E::emitStore},
  };
  return table;
}

void MemoryEmitter::emitMov(Op op) {
  ScalarType whole = f.type(op);
  const Operand &to = op.operands[0], &from = op.operands[1];
  bool packs = from.kind == Operand::Vector;
  const Operand &vector = packs ? from : to;
  if (vector.kind != Operand::Vector) {
    if (whole.kind == ScalarType::Pred)
      return f.write(op, to, f.readPredicate(op, from));
    return f.write(op, to, f.readBits(op, from, whole));
  }
  size_t count = vector.elements.size();
  bool isWhole = count == 1 && whole.kind == ScalarType::Bits;
  if (count != 2 && count != 4 && !isWhole)
    f.fail(op, "expected two or four elements, got " + std::to_string(count));
  ScalarType part;
  part.bits = whole.totalBits() / count;
  auto *type = llvm::FixedVectorType::get(f.bitsType(part.bits), count);
  Value *value = packs ? llvm::PoisonValue::get(type)
                       : b.CreateBitCast(f.readBits(op, from, whole), type);
  for (size_t i = 0; i < count; ++i) {
    if (packs)
      value = b.CreateInsertElement(
          value, f.readBits(op, vector.elements[i], part), i);
    else
      f.write(op, vector.elements[i], b.CreateExtractElement(value, i));
  }
  if (packs)
    f.write(op, to, value);
}

/// Adds or takes away where the state space begins in generic addresses.
void MemoryEmitter::emitMovOfVectors(Op op) {
  size_t count = f.has("v2") ? 2 : 4;
  const Operand &to = op.operands[0], &from = op.operands[1];
  if (to.elements.size() != count || from.elements.size() != count)
    f.fail(op,
           "expected two vectors of " + std::to_string(count) + " registers");
  std::vector<Value *> values;
  for (const Operand &element : from.elements)
    values.push_back(f.readBits(op, element, f.type(op)));
  for (size_t i = 0; i < count; ++i)
    f.write(op, to.elements[i], values[i]);
}

void MemoryEmitter::emitCvta(Op op) {
  uint64_t base = f.isShared()     ? kSharedWindowBase
                  : f.has("local") ? kLocalWindowBase
                  : f.has("param") ? kParamWindowBase
                                   : 0;
  Value *address = f.readBits(op, op.operands[1], f.type(op));
  Value *offset = llvm::ConstantInt::get(address->getType(), base);
  f.write(op, op.operands[0],
          f.has("to") ? b.CreateSub(address, offset)
                      : b.CreateAdd(address, offset));
}

/// isspacep: whether a generic address is in a state space.
void MemoryEmitter::emitIsSpace(Op op) {
  ScalarType wide;
  wide.bits = 64;
  Value *address = f.readBits(op, op.operands[1], wide);
  Value *result;
  if (f.has("global") || f.has("const")) {
    result = b.CreateICmpUGE(address, b.getInt64(kFirstDeviceAddress));
  } else {
    uint64_t base = f.has("local")   ? kLocalWindowBase
                    : f.has("param") ? kParamWindowBase
                                     : kSharedWindowBase;
    result = b.CreateICmpULT(b.CreateSub(address, b.getInt64(base)),
                             b.getInt64(kWindowSize));
  }
  f.write(op, op.operands[0], result);
}

/// The elements of a vector, as many as the modifier says; or the value.
llvm::ArrayRef<Operand> MemoryEmitter::elements(Op op, const Operand &value) {
  size_t expected = f.has("v2") ? 2 : f.has("v4") ? 4 : f.has("v8") ? 8 : 1;
  bool isVector = value.kind == Operand::Vector;
  size_t count = isVector ? value.elements.size() : 1;
  if (count != expected)
    f.fail(op, "expected " + std::to_string(expected) + " elements, got " +
                   std::to_string(count));
  if (expected * f.type(op).bytes() > 32)
    f.fail(op, "a vector of more than 32 bytes");
  if (f.has("L2::cache_hint") != (op.operands.size() == 3))
    f.fail(op, "a third operand goes with '.L2::cache_hint'");
  return isVector ? llvm::ArrayRef<Operand>(value.elements)
                  : llvm::ArrayRef<Operand>(value);
}

/// Accesses that see what other threads do. Code may wait for that in a loop:
/// the access must stay there, and other threads must run.
bool MemoryEmitter::isOrdered() const {
  return f.has("volatile") || f.has("relaxed") || f.has("acquire") ||
         f.has("release") || f.has("mmio");
}

uint32_t MemoryEmitter::orderKind() const { return isOrdered() ? kStrong : 0; }

void MemoryEmitter::emitLoad(Op op) {
  ScalarType element = f.type(op);
  llvm::ArrayRef<Operand> parts = elements(op, op.operands[0]);
  uint64_t bytes = element.bytes();
  Value *host = addresses.hostAddress(op, op.operands[1], bytes * parts.size(),
                                      orderKind());
  // All are read before the first is written: it may hold the address.
  std::vector<Value *> values;
  for (size_t i = 0; i < parts.size(); ++i)
    values.push_back(b.CreateLoad(
        f.bitsType(bytes * 8),
        b.CreateConstGEP1_64(b.getInt8Ty(), host, i * bytes), isOrdered()));
  if (f.has("acquire"))
    f.fence(op);
  for (size_t i = 0; i < parts.size(); ++i)
    f.write(op, parts[i], values[i], !element.isFloat(), element.isSigned());
}

void MemoryEmitter::emitStore(Op op) {
  ScalarType element = f.type(op);
  llvm::ArrayRef<Operand> parts = elements(op, op.operands[1]);
  uint64_t bytes = element.bytes();
  Value *host = addresses.hostAddress(op, op.operands[0], bytes * parts.size(),
                                      kWrites | orderKind());
  if (f.has("release"))
    f.fence(op);
  for (size_t i = 0; i < parts.size(); ++i)
    b.CreateStore(f.readBits(op, parts[i], element, !element.isFloat()),
                  b.CreateConstGEP1_64(b.getInt8Ty(), host, i * bytes),
                  isOrdered());
}
