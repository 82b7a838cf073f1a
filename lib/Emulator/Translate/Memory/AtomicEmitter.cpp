//===- AtomicEmitter.cpp - Atomic operations and fences -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Memory/AtomicEmitter.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/Translate/RuleWords.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;

llvm::ArrayRef<Rule> AtomicEmitter::rules() {
  using E = AtomicEmitter;
  static const Rule table[] = {
      {"atom", "u32 s32 u64 s64 f32 f64 " HALVES " " BHALVES, "add", ATOMIC, 3,
       4, &E::emitAtom},
      {"atom", WORDS, "min max", ATOMIC, 3, 4, &E::emitAtom},
      {"atom", "u32", "inc dec", ATOMIC, 3, 4, &E::emitAtom},
      {"atom", "b32 b64", "and or xor exch", ATOMIC, 3, 4, &E::emitAtom},
      {"atom", "b16 b32 b64", "cas", ATOMIC, 4, 5, &E::emitAtom},
      {"atom", "b128", "exch", ATOMIC, 3, 4, &E::emitAtom},
      {"atom", "b128", "cas", ATOMIC, 4, 5, &E::emitAtom},
      {"atom red", "f32", "add|v2 v4", VECTOR_ATOMIC, 2, 4, &E::emitVectorAtom},
      {"atom red", "f16 bf16", "add min max|v2 v4 v8|noftz", VECTOR_ATOMIC, 2,
       4, &E::emitVectorAtom},
      {"atom red", "f16x2 bf16x2", "add min max|v2 v4|noftz", VECTOR_ATOMIC, 2,
       4, &E::emitVectorAtom},
      {"red", "u32 s32 u64 s64 f32 f64 " HALVES " " BHALVES, "add", ATOMIC, 2,
       3, &E::emitAtom},
      {"red", WORDS, "min max", ATOMIC, 2, 3, &E::emitAtom},
      {"red", "u32", "inc dec", ATOMIC, 2, 3, &E::emitAtom},
      {"red", "b32 b64", "and or xor", ATOMIC, 2, 3, &E::emitAtom},
      {"fence", "", "sc acq_rel acquire release|" SCOPES, "", 0, 0,
       &E::emitFence},
      {"fence", "", SCOPES, "", 0, 0, &E::emitFence},
      {"fence", "", "proxy|alias async", "global shared::cta shared::cluster",
       0, 0, &E::emitFence},
      {"fence", "", "proxy|tensormap::generic|release|" SCOPES, "", 0, 0,
       &E::emitFence},
      {"fence", "", "proxy|tensormap::generic|acquire|" SCOPES, "", 2, 2,
       &E::emitFence},
      {"fence", "", "mbarrier_init|release|cluster", "", 0, 0, &E::emitFence},
      {"membar", "", "cta gl sys", "", 0, 0, &E::emitFence},
      {"membar", "", "proxy|alias async", "", 0, 0, &E::emitFence},
  };
  return table;
}

using Kind = llvm::AtomicRMWInst::BinOp;

static constexpr auto kOrder = llvm::AtomicOrdering::SequentiallyConsistent;

static Kind kindOf(Name name, ScalarType type) {
  if (name == "add")
    return type.isFloat() ? Kind::FAdd : Kind::Add;
  if (name == "min")
    return type.isSigned() ? Kind::Min : Kind::UMin;
  if (name == "max")
    return type.isSigned() ? Kind::Max : Kind::UMax;
  if (name == "inc")
    return Kind::UIncWrap;
  if (name == "dec")
    return Kind::UDecWrap;
  if (name == "exch")
    return Kind::Xchg;
  if (name == "and")
    return Kind::And;
  if (name == "or")
    return Kind::Or;
  return name == "xor" ? Kind::Xor : Kind::BAD_BINOP;
}

/// Computes with 16-bit numbers, one or two, in a loop of compare and swap, in
/// f32. Returns the old bits.
llvm::Value *AtomicEmitter::atomicHalf(Value *host, Value *operand,
                                       ScalarType type) {
  auto *bits = f.bitsType(type.totalBits());
  Value *first = b.CreateLoad(bits, host);
  BasicBlock *before = b.GetInsertBlock();
  auto *loop = f.newBlock();
  auto *next = f.newBlock();
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  auto *old = b.CreatePHI(bits, 2);
  Value *number = floats.widen(b.CreateBitCast(old, f.valueType(type)));
  Value *other = floats.widen(operand);
  Value *wide = f.has("min")   ? b.CreateMinNum(number, other)
                : f.has("max") ? b.CreateMaxNum(number, other)
                               : b.CreateFAdd(number, other);
  Value *sum = floats.narrow(wide, type);
  Value *pair = b.CreateAtomicCmpXchg(host, old, b.CreateBitCast(sum, bits),
                                      llvm::MaybeAlign(), kOrder, kOrder);
  old->addIncoming(first, before);
  old->addIncoming(b.CreateExtractValue(pair, 0), loop);
  b.CreateCondBr(b.CreateExtractValue(pair, 1), next, loop);
  b.SetInsertPoint(next);
  return old;
}

void AtomicEmitter::checkOperands(Op op, size_t expected) const {
  if (op.operands.size() != expected)
    f.fail(op, "expected " + std::to_string(expected) + " operands, got " +
                   std::to_string(op.operands.size()));
}

/// Each element is an operation of its own.
void AtomicEmitter::emitVectorAtom(Op op) {
  ScalarType t = f.type(op);
  size_t first = op.opcode == "red" ? 0 : 1;
  size_t count = f.has("v2") ? 2 : f.has("v4") ? 4 : 8;
  checkOperands(op, first + 2 + f.has("L2::cache_hint"));
  const Operand &to = op.operands[0], &from = op.operands[first + 1];
  if (from.elements.size() != count ||
      (first == 1 && to.elements.size() != count))
    f.fail(op, "expected vectors of " + std::to_string(count) + " elements");
  Value *host = addresses.hostAddress(op, op.operands[first], count * t.bytes(),
                                      kWrites | kStrong | kReadsToo);
  f.countFlops(op);
  std::vector<Value *> values;
  for (const Operand &element : from.elements)
    values.push_back(f.read(op, element, t));
  for (size_t i = 0; i < count; ++i) {
    Value *place = b.CreateConstGEP1_64(b.getInt8Ty(), host, i * t.bytes());
    values[i] = t.bits == 16 ? atomicHalf(place, values[i], t)
                             : b.CreateAtomicRMW(Kind::FAdd, place, values[i],
                                                 llvm::MaybeAlign(), kOrder);
  }
  for (size_t i = 0; i < count && first == 1; ++i)
    f.write(op, to.elements[i], values[i]);
  f.letOthersRun(op);
}

void AtomicEmitter::emitAtom(Op op) {
  ScalarType t = f.type(op);
  size_t first = op.opcode == "red" ? 0 : 1;
  checkOperands(op, first + 2 + f.has("cas") + f.has("L2::cache_hint"));
  Value *host = addresses.hostAddress(op, op.operands[first], t.bytes(),
                                      kWrites | kStrong | kReadsToo);
  if (t.isFloat())
    f.countFlops(op);
  Value *operand = f.read(op, op.operands[first + 1], t), *old;
  if (f.has("cas")) {
    Value *next = f.read(op, op.operands[first + 2], t);
    Value *pair = b.CreateAtomicCmpXchg(host, operand, next, llvm::MaybeAlign(),
                                        kOrder, kOrder);
    old = b.CreateExtractValue(pair, 0);
  } else if (t.isFloat() && t.bits == 16) {
    old = atomicHalf(host, operand, t);
  } else {
    Kind kind = Kind::BAD_BINOP;
    for (Name modifier : op.modifiers)
      if (kind == Kind::BAD_BINOP)
        kind = kindOf(modifier, t);
    old = b.CreateAtomicRMW(kind, host, operand, llvm::MaybeAlign(), kOrder);
  }
  if (op.opcode == "atom")
    f.write(op, op.operands[0], old);
  f.letOthersRun(op);
}

void AtomicEmitter::emitFence(Op op) { f.fence(op); }
