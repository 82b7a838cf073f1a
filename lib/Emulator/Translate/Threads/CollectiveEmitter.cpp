//===- CollectiveEmitter.cpp - Threads that meet --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Threads/CollectiveEmitter.h"

#include "Emulator/Translate/RuleWords.h"
#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> CollectiveEmitter::rules() {
  using E = CollectiveEmitter;
  static const Rule table[] = {
      {"bar barrier", "", "sync", "cta aligned", 1, 2, &E::emitBarrier},
      {"bar barrier", "", "arrive", "cta aligned", 2, 2, &E::emitBarrier},
      {"bar barrier", "u32", "red|popc", "cta aligned", 3, 4,
       &E::emitBarrierReduce},
      {"bar barrier", "pred", "red|and or", "cta aligned", 3, 4,
       &E::emitBarrierReduce},
      {"bar", "", "warp|sync", "", 1, 1, &E::emitWarpSync},
      {"shfl", "b32", "sync|up down bfly idx", "", 5, 5, &E::emitShuffle},
      {"shfl", "b32", "up down bfly idx", "", 4, 4, &E::emitShuffle},
      {"vote", "b32", "sync|ballot", "", 3, 3, &E::emitVote},
      {"vote", "pred", "sync|all any uni", "", 3, 3, &E::emitVote},
      {"vote", "b32", "ballot", "", 2, 2, &E::emitVote},
      {"vote", "pred", "all any uni", "", 2, 2, &E::emitVote},
      {"match", "b32 b64", "sync|any all", "", 3, 3, &E::emitMatch},
      {"redux", "u32 s32", "sync|add min max", "", 3, 3, &E::emitRedux},
      {"redux", "b32", "sync|and or xor", "", 3, 3, &E::emitRedux},
      {"activemask", "b32", "", "", 1, 1, &E::emitActiveMask},
      {"elect", "", "sync", "", 2, 2, &E::emitElect},
  };
  return table;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Numbers that the text has are checked when it is read.
void CollectiveEmitter::checkBarrier(Op op, size_t id, size_t threads) {
  const Operand &number = op.operands[id];
  if (number.kind == Operand::Integer && number.integer > 15)
    f.fail(op, "expected a barrier from 0 to 15, got " +
                   std::to_string(number.integer));
  if (threads >= op.operands.size() ||
      op.operands[threads].kind != Operand::Integer)
    return;
  if (op.operands[threads].integer % 32 != 0)
    f.fail(op, "expected a number of threads that is a multiple of 32, got " +
                   std::to_string(op.operands[threads].integer));
}

/// bar.sync and bar.arrive: number of the barrier, number of threads.
void CollectiveEmitter::emitBarrier(Op op) {
  bool arrives = f.has("arrive");
  if (arrives && op.operands.size() != 2)
    f.fail(op, "expected a number of threads");
  checkBarrier(op, 0, 1);
  Value *id = f.readWord(op, op.operands[0]);
  Value *threads =
      op.operands.size() > 1 ? f.readWord(op, op.operands[1]) : b.getInt32(0);
  f.meeting(arrives ? "heteroEmuBarrierArrive" : "heteroEmuBarrier",
            b.getVoidTy(), {f.context, id, threads});
}

void CollectiveEmitter::emitBarrierReduce(Op op) {
  bool counts = f.has("popc");
  checkBarrier(op, 1, op.operands.size() > 3 ? 2 : op.operands.size());
  Value *id = f.readWord(op, op.operands[1]);
  Value *threads =
      op.operands.size() > 3 ? f.readWord(op, op.operands[2]) : b.getInt32(0);
  Value *predicate = f.readPredicate(op, op.operands.back());
  Value *result = f.meeting("heteroEmuBarrierReduce", b.getInt32Ty(),
                            {f.context, id, threads,
                             b.getInt32(counts         ? 0
                                        : f.has("and") ? 1
                                                       : 2),
                             b.CreateZExt(predicate, b.getInt32Ty())});
  f.write(op, op.operands[0],
          counts ? result : b.CreateTrunc(result, b.getInt1Ty()));
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

void CollectiveEmitter::emitWarpSync(Op op) {
  f.meeting("heteroEmuWarpSync", b.getVoidTy(),
            {f.context, f.readWord(op, op.operands[0])});
}

/// Writes d, or d|p: the low word of the result, and a bit above it.
void CollectiveEmitter::writePair(Op op, Value *both) {
  const Operand &to = op.operands[0];
  Value *value = b.CreateTrunc(both, b.getInt32Ty());
  if (to.kind != Operand::Pair)
    return f.write(op, to, value);
  f.write(op, to.elements[0], value);
  f.write(op, to.elements[1],
          b.CreateTrunc(b.CreateLShr(both, 32), b.getInt1Ty()));
}

/// Who takes part: an operand says it, or it is who is there in old code.
llvm::Value *CollectiveEmitter::membersOf(Op op, size_t index) {
  return f.has("sync") ? f.readWord(op, op.operands[index]) : activeMask();
}

void CollectiveEmitter::emitShuffle(Op op) {
  unsigned mode = f.has("up") ? 0 : f.has("down") ? 1 : f.has("bfly") ? 2 : 3;
  writePair(op, f.meeting("heteroEmuShuffle", b.getInt64Ty(),
                          {f.context, b.getInt32(mode),
                           f.readWord(op, op.operands[1]),
                           f.readWord(op, op.operands[2]),
                           f.readWord(op, op.operands[3]), membersOf(op, 4)}));
}

void CollectiveEmitter::emitVote(Op op) {
  unsigned mode = f.has("all") ? 0 : f.has("any") ? 1 : f.has("uni") ? 2 : 3;
  Value *predicate =
      b.CreateZExt(f.readPredicate(op, op.operands[1]), b.getInt32Ty());
  Value *result =
      f.meeting("heteroEmuVote", b.getInt32Ty(),
                {f.context, b.getInt32(mode), predicate, membersOf(op, 2)});
  f.write(op, op.operands[0],
          mode == 3 ? result : b.CreateTrunc(result, b.getInt1Ty()));
}

/// match.any: who has the same value; match.all: whether all have.
void CollectiveEmitter::emitMatch(Op op) {
  Value *value =
      b.CreateZExt(f.readBits(op, op.operands[1], f.type(op)), b.getInt64Ty());
  Value *result = f.meeting("heteroEmuMatch", b.getInt64Ty(),
                            {f.context, b.getInt32(f.has("all")), value,
                             f.readWord(op, op.operands[2])});
  if (f.has("any") && op.operands[0].kind == Operand::Pair)
    f.fail(op, "'.any' has no predicate");
  writePair(op, result);
}

void CollectiveEmitter::emitRedux(Op op) {
  bool isSigned = f.type(op).isSigned();
  unsigned mode = f.has("add")   ? 0
                  : f.has("min") ? (isSigned ? 3 : 1)
                  : f.has("max") ? (isSigned ? 4 : 2)
                  : f.has("and") ? 5
                  : f.has("or")  ? 6
                                 : 7;
  f.write(
      op, op.operands[0],
      f.meeting("heteroEmuRedux", b.getInt32Ty(),
                {f.context, b.getInt32(mode), f.readWord(op, op.operands[1]),
                 f.readWord(op, op.operands[2])}));
}

/// WarpSteps fills in the place.
llvm::Value *CollectiveEmitter::activeMask() {
  return f.callback("heteroEmuActiveMask", b.getInt32Ty(),
                    {f.context, b.getInt32(0)});
}

void CollectiveEmitter::emitActiveMask(Op op) {
  f.write(op, op.operands[0], activeMask());
}

/// elect.sync: the lowest of the lanes that are there.
void CollectiveEmitter::emitElect(Op op) {
  const Operand &to = op.operands[0];
  if (to.kind != Operand::Pair)
    f.fail(op, "expected two destinations, 'd|p'");
  Value *members = f.meeting("heteroEmuVote", b.getInt32Ty(),
                             {f.context, b.getInt32(3), b.getInt32(1),
                              f.readWord(op, op.operands[1])});
  Value *leader = b.CreateIntrinsic(llvm::Intrinsic::cttz, {b.getInt32Ty()},
                                    {members, b.getFalse()});
  Value *lane = f.contextField(offsetof(ThreadContext, laneid), b.getInt32Ty());
  f.write(op, to.elements[0], leader);
  f.write(op, to.elements[1], b.CreateICmpEQ(lane, leader));
}
