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

/// Adds 16-bit numbers, one or two, in a loop of compare and swap: they are
/// added in f32. Returns the old bits.
llvm::Value *AtomicEmitter::atomicHalfAdd(Value *host, Value *operand,
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
  Value *sum = floats.narrow(b.CreateFAdd(number, floats.widen(operand)), type);
  Value *pair = b.CreateAtomicCmpXchg(host, old, b.CreateBitCast(sum, bits),
                                      llvm::MaybeAlign(), kOrder, kOrder);
  old->addIncoming(first, before);
  old->addIncoming(b.CreateExtractValue(pair, 0), loop);
  b.CreateCondBr(b.CreateExtractValue(pair, 1), next, loop);
  b.SetInsertPoint(next);
  return old;
}

void AtomicEmitter::emitAtom(Op op) {
  ScalarType t = f.type(op);
  size_t first = op.opcode == "red" ? 0 : 1;
  size_t expected = first + 2 + f.has("cas") + f.has("L2::cache_hint");
  if (op.operands.size() != expected)
    f.fail(op, "expected " + std::to_string(expected) + " operands, got " +
                   std::to_string(op.operands.size()));
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
    old = atomicHalfAdd(host, operand, t);
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
