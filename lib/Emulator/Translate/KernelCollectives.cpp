//===- KernelCollectives.cpp - Threads that meet --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Async/PhaseBarrier.h"
#include "Emulator/Translate/Kernel.h"

#include "Emulator/Execute/ExecutorCallbacks.h"

#include "llvm/IR/Intrinsics.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// bar.sync and bar.arrive: number of the barrier, number of threads.
void KernelTranslator::emitBarrier(Op op) {
  bool arrives = has("arrive");
  if (arrives && op.operands.size() != 2)
    fail(op, "expected a number of threads");
  Value *id = readWord(op, op.operands[0]);
  Value *threads =
      op.operands.size() > 1 ? readWord(op, op.operands[1]) : b.getInt32(0);
  meeting(arrives ? "heteroEmuBarrierArrive" : "heteroEmuBarrier",
          b.getVoidTy(), {context, id, threads});
}

void KernelTranslator::emitBarrierReduce(Op op) {
  bool counts = has("popc");
  Value *id = readWord(op, op.operands[1]);
  Value *threads =
      op.operands.size() > 3 ? readWord(op, op.operands[2]) : b.getInt32(0);
  Value *predicate = readPredicate(op, op.operands.back());
  Value *result = meeting("heteroEmuBarrierReduce", b.getInt32Ty(),
                          {context, id, threads,
                           b.getInt32(counts       ? 0
                                      : has("and") ? 1
                                                   : 2),
                           b.CreateZExt(predicate, b.getInt32Ty())});
  write(op, op.operands[0],
        counts ? result : b.CreateTrunc(result, b.getInt1Ty()));
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

void KernelTranslator::emitWarpSync(Op op) {
  meeting("heteroEmuWarpSync", b.getVoidTy(),
          {context, readWord(op, op.operands[0])});
}

/// Writes d, or d|p: the low word of the result, and a bit above it.
void KernelTranslator::writePair(Op op, Value *both) {
  const Operand &to = op.operands[0];
  Value *value = b.CreateTrunc(both, b.getInt32Ty());
  if (to.kind != Operand::Pair)
    return write(op, to, value);
  write(op, to.elements[0], value);
  write(op, to.elements[1],
        b.CreateTrunc(b.CreateLShr(both, 32), b.getInt1Ty()));
}

/// Who takes part: an operand says it, or it is who is there in old code.
llvm::Value *KernelTranslator::membersOf(Op op, size_t index) {
  return has("sync") ? readWord(op, op.operands[index]) : activeMask();
}

void KernelTranslator::emitShuffle(Op op) {
  unsigned mode = has("up") ? 0 : has("down") ? 1 : has("bfly") ? 2 : 3;
  writePair(op,
            meeting("heteroEmuShuffle", b.getInt64Ty(),
                    {context, b.getInt32(mode), readWord(op, op.operands[1]),
                     readWord(op, op.operands[2]), readWord(op, op.operands[3]),
                     membersOf(op, 4)}));
}

void KernelTranslator::emitVote(Op op) {
  unsigned mode = has("all") ? 0 : has("any") ? 1 : has("uni") ? 2 : 3;
  Value *predicate =
      b.CreateZExt(readPredicate(op, op.operands[1]), b.getInt32Ty());
  Value *result =
      meeting("heteroEmuVote", b.getInt32Ty(),
              {context, b.getInt32(mode), predicate, membersOf(op, 2)});
  write(op, op.operands[0],
        mode == 3 ? result : b.CreateTrunc(result, b.getInt1Ty()));
}

/// match.any: who has the same value; match.all: whether all have.
void KernelTranslator::emitMatch(Op op) {
  Value *value =
      b.CreateZExt(readBits(op, op.operands[1], type(op)), b.getInt64Ty());
  Value *result = meeting(
      "heteroEmuMatch", b.getInt64Ty(),
      {context, b.getInt32(has("all")), value, readWord(op, op.operands[2])});
  if (has("any") && op.operands[0].kind == Operand::Pair)
    fail(op, "'.any' has no predicate");
  writePair(op, result);
}

void KernelTranslator::emitRedux(Op op) {
  bool isSigned = type(op).isSigned();
  unsigned mode = has("add")   ? 0
                  : has("min") ? (isSigned ? 3 : 1)
                  : has("max") ? (isSigned ? 4 : 2)
                  : has("and") ? 5
                  : has("or")  ? 6
                               : 7;
  write(op, op.operands[0],
        meeting("heteroEmuRedux", b.getInt32Ty(),
                {context, b.getInt32(mode), readWord(op, op.operands[1]),
                 readWord(op, op.operands[2])}));
}

/// WarpSteps fills in the place.
llvm::Value *KernelTranslator::activeMask() {
  return callback("heteroEmuActiveMask", b.getInt32Ty(),
                  {context, b.getInt32(0)});
}

void KernelTranslator::emitActiveMask(Op op) {
  write(op, op.operands[0], activeMask());
}

/// elect.sync: the lowest of the lanes that are there.
void KernelTranslator::emitElect(Op op) {
  const Operand &to = op.operands[0];
  if (to.kind != Operand::Pair)
    fail(op, "expected two destinations, 'd|p'");
  Value *members = meeting(
      "heteroEmuVote", b.getInt32Ty(),
      {context, b.getInt32(3), b.getInt32(1), readWord(op, op.operands[1])});
  Value *leader = b.CreateIntrinsic(llvm::Intrinsic::cttz, {b.getInt32Ty()},
                                    {members, b.getFalse()});
  Value *lane = contextField(offsetof(ThreadContext, laneid), b.getInt32Ty());
  write(op, to.elements[0], leader);
  write(op, to.elements[1], b.CreateICmpEQ(lane, leader));
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

/// What happens to the object of eight bytes at an address. Accesses to it are
/// strong ones, but for the first and the last.
llvm::Value *KernelTranslator::phase(Op op, const Operand &address,
                                     uint32_t operation, Value *operand) {
  bool isPlain = operation == kPhaseInit || operation == kPhaseInvalidate;
  bool isTest = operation == kPhaseTest || operation == kPhaseTestParity;
  Value *object = hostAddress(op, address, 8,
                              isPlain  ? kWrites
                              : isTest ? kStrong
                                       : kWrites | kStrong | kReadsToo);
  return meeting("heteroEmuPhase", b.getInt64Ty(),
                 {context, b.getInt32(operation), object, operand});
}

/// mbarrier.init and mbarrier.inval.
void KernelTranslator::emitPhaseObject(Op op) {
  bool inits = has("init");
  if (op.operands.size() != (inits ? 2u : 1u))
    fail(op, inits ? "expected a number of arrivals" : "expected an address");
  Value *count = b.getInt64(0);
  if (inits)
    count = b.CreateZExt(readWord(op, op.operands[1]), b.getInt64Ty());
  phase(op, op.operands[0], inits ? kPhaseInit : kPhaseInvalidate, count);
}

/// mbarrier.expect_tx and mbarrier.complete_tx.
void KernelTranslator::emitPhaseBytes(Op op) {
  phase(op, op.operands[0], has("expect_tx") ? kPhaseExpect : kPhaseComplete,
        b.CreateZExt(readWord(op, op.operands[1]), b.getInt64Ty()));
}

/// mbarrier.arrive and mbarrier.arrive_drop.
void KernelTranslator::emitPhaseArrive(Op op) {
  bool isEarly = has("noComplete");
  if (has("expect_tx")) {
    Value *bytes = b.CreateZExt(readWord(op, op.operands[2]), b.getInt64Ty());
    return write(op, op.operands[0],
                 phase(op, op.operands[1], kPhaseArriveExpect, bytes));
  }
  if (isEarly && op.operands.size() != 3)
    fail(op, "expected a number of arrivals");
  Value *count = b.getInt64(1);
  if (op.operands.size() == 3)
    count = b.CreateZExt(readWord(op, op.operands[2]), b.getInt64Ty());
  uint32_t operation = has("arrive_drop")
                           ? (isEarly ? kPhaseDropEarly : kPhaseDrop)
                           : (isEarly ? kPhaseArriveEarly : kPhaseArrive);
  write(op, op.operands[0], phase(op, op.operands[1], operation, count));
}

/// mbarrier.test_wait and mbarrier.try_wait, of a state or of a parity. The
/// latter may wait for as long as it likes, so that a hint says nothing.
void KernelTranslator::emitPhaseTest(Op op) {
  if (op.operands.size() == 4)
    readWord(op, op.operands[3]);
  bool isParity = has("parity");
  ScalarType state;
  state.bits = isParity ? 32 : 64;
  Value *operand =
      b.CreateZExt(readBits(op, op.operands[2], state), b.getInt64Ty());
  Value *done = phase(op, op.operands[1],
                      isParity ? kPhaseTestParity : kPhaseTest, operand);
  write(op, op.operands[0], b.CreateTrunc(done, b.getInt1Ty()));
}

/// The number of arrivals that were to come, of a state.
void KernelTranslator::emitPhaseCount(Op op) {
  ScalarType state;
  state.bits = 64;
  Value *pending = b.CreateAnd(readBits(op, op.operands[1], state),
                               b.getInt64(PhaseBarrier::kMostArrivals));
  write(op, op.operands[0], b.CreateTrunc(pending, b.getInt32Ty()));
}

/// cp.async.mbarrier.arrive: the copies are done. Without .noinc the arrival is
/// one more than the object expects.
void KernelTranslator::emitPhaseOfCopies(Op op) {
  phase(op, op.operands[0], has("noinc") ? kPhaseArrive : kPhaseCheck,
        b.getInt64(1));
}
