//===- KernelAtomics.cpp - Atomic operations and fences -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Kernel.h"

#include "Emulator/Execute/ExecutorCallbacks.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;
using llvm::BasicBlock;
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

/// Adds 16-bit numbers, one or two, in a loop of compare and swap: they are
/// added in f32. Returns the old bits.
llvm::Value *KernelTranslator::atomicHalfAdd(Value *host, Value *operand,
                                             ScalarType type) {
  auto *bits = bitsType(type.totalBits());
  Value *first = b.CreateLoad(bits, host);
  BasicBlock *before = b.GetInsertBlock();
  auto *loop = BasicBlock::Create(b.getContext(), "", body);
  auto *next = BasicBlock::Create(b.getContext(), "", body);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  auto *old = b.CreatePHI(bits, 2);
  Value *number = widen(b.CreateBitCast(old, valueType(type)));
  Value *sum = narrow(b.CreateFAdd(number, widen(operand)), type);
  Value *pair = b.CreateAtomicCmpXchg(host, old, b.CreateBitCast(sum, bits),
                                      llvm::MaybeAlign(), kOrder, kOrder);
  old->addIncoming(first, before);
  old->addIncoming(b.CreateExtractValue(pair, 0), loop);
  b.CreateCondBr(b.CreateExtractValue(pair, 1), next, loop);
  b.SetInsertPoint(next);
  return old;
}

void KernelTranslator::emitAtom(Op op) {
  ScalarType t = type(op);
  size_t first = op.opcode == "red" ? 0 : 1;
  size_t expected = first + 2 + has("cas") + has("L2::cache_hint");
  if (op.operands.size() != expected)
    fail(op, "expected " + std::to_string(expected) + " operands, got " +
                 std::to_string(op.operands.size()));
  Value *host = hostAddress(op, op.operands[first], t.bytes(),
                            kWrites | kStrong | kReadsToo);
  if (t.isFloat())
    countFlops(op);
  Value *operand = read(op, op.operands[first + 1], t), *old;
  if (has("cas")) {
    Value *next = read(op, op.operands[first + 2], t);
    Value *pair = b.CreateAtomicCmpXchg(host, operand, next, llvm::MaybeAlign(),
                                        kOrder, kOrder);
    old = b.CreateExtractValue(pair, 0);
  } else if (t.isFloat() && t.bits == 16) {
    old = atomicHalfAdd(host, operand, t);
  } else {
    Kind kind = Kind::BAD_BINOP;
    for (Name modifier : op.modifiers)
      if (kind == Kind::BAD_BINOP)
        kind = kindOf(modifier, t);
    old = b.CreateAtomicRMW(kind, host, operand, llvm::MaybeAlign(), kOrder);
  }
  if (op.opcode == "atom")
    write(op, op.operands[0], old);
  letOthersRun(op);
}

void KernelTranslator::emitFence(Op op) {
  b.CreateFence(kOrder);
  letOthersRun(op);
}

/// Where a thread may wait for another one in a loop.
void KernelTranslator::letOthersRun(Op op) {
  if (state.graph.facts(function).spins.count(&op))
    callback(op.opcode == "atom" ? "heteroEmuSpin" : "heteroEmuYield",
             b.getVoidTy(), {context});
}
