//===- PhaseEmitter.cpp - Barriers in memory ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Translate/Threads/PhaseEmitter.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/Translate/RuleWords.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

llvm::ArrayRef<Rule> PhaseEmitter::rules() {
  using E = PhaseEmitter;
  static const Rule table[] = {
      {"mbarrier", "b64", "init inval", "shared shared::cta", 1, 2,
       &E::emitPhaseObject},
      {"mbarrier", "b64", "arrive arrive_drop",
       "noComplete release relaxed cta cluster " BLOCK_SPACES, 2, 3,
       &E::emitPhaseArrive},
      {"mbarrier", "b64", "arrive|expect_tx",
       "release relaxed cta cluster " BLOCK_SPACES, 3, 3, &E::emitPhaseArrive},
      {"mbarrier", "b64", "expect_tx complete_tx",
       "relaxed cta cluster " BLOCK_SPACES, 2, 2, &E::emitPhaseBytes},
      {"mbarrier", "b64", "test_wait",
       "parity acquire relaxed cta cluster shared shared::cta", 3, 3,
       &E::emitPhaseTest},
      {"mbarrier", "b64", "try_wait",
       "parity acquire relaxed cta cluster shared shared::cta", 3, 4,
       &E::emitPhaseTest},
      {"mbarrier", "b64", "pending_count", "", 2, 2, &E::emitPhaseCount},
      {"cp", "b64", "async|mbarrier|arrive", "noinc shared shared::cta", 1, 1,
       &E::emitPhaseOfCopies},
  };
  return table;
}

/// What happens to the object of eight bytes at an address. Accesses to it are
/// strong ones, but for the first and the last.
llvm::Value *PhaseEmitter::phase(Op op, const Operand &address,
                                 uint32_t operation, Value *operand) {
  bool isPlain = operation == kPhaseInit || operation == kPhaseInvalidate;
  bool isTest = operation == kPhaseTest || operation == kPhaseTestParity;
  Value *object =
      addresses.hostAddress(op, address, 8,
                            isPlain  ? kWrites
                            : isTest ? kStrong
                                     : kWrites | kStrong | kReadsToo);
  return f.meeting("heteroEmuPhase", b.getInt64Ty(),
                   {f.context, b.getInt32(operation), object, operand});
}

/// mbarrier.init and mbarrier.inval.
void PhaseEmitter::emitPhaseObject(Op op) {
  bool inits = f.has("init");
  if (op.operands.size() != (inits ? 2u : 1u))
    f.fail(op, inits ? "expected a number of arrivals" : "expected an address");
  Value *count = b.getInt64(0);
  if (inits)
    count = b.CreateZExt(f.readWord(op, op.operands[1]), b.getInt64Ty());
  phase(op, op.operands[0], inits ? kPhaseInit : kPhaseInvalidate, count);
}

/// mbarrier.expect_tx and mbarrier.complete_tx.
void PhaseEmitter::emitPhaseBytes(Op op) {
  phase(op, op.operands[0], f.has("expect_tx") ? kPhaseExpect : kPhaseComplete,
        b.CreateZExt(f.readWord(op, op.operands[1]), b.getInt64Ty()));
}

/// mbarrier.arrive and mbarrier.arrive_drop.
void PhaseEmitter::emitPhaseArrive(Op op) {
  bool isEarly = f.has("noComplete");
  if (f.has("expect_tx")) {
    Value *bytes = b.CreateZExt(f.readWord(op, op.operands[2]), b.getInt64Ty());
    return f.write(op, op.operands[0],
                   phase(op, op.operands[1], kPhaseArriveExpect, bytes));
  }
  if (isEarly && op.operands.size() != 3)
    f.fail(op, "expected a number of arrivals");
  Value *count = b.getInt64(1);
  if (op.operands.size() == 3)
    count = b.CreateZExt(f.readWord(op, op.operands[2]), b.getInt64Ty());
  uint32_t operation = f.has("arrive_drop")
                           ? (isEarly ? kPhaseDropEarly : kPhaseDrop)
                           : (isEarly ? kPhaseArriveEarly : kPhaseArrive);
  f.write(op, op.operands[0], phase(op, op.operands[1], operation, count));
}

/// mbarrier.test_wait and mbarrier.try_wait, of a state or of a parity. The
/// latter may wait for as long as it likes, so that a hint says nothing.
void PhaseEmitter::emitPhaseTest(Op op) {
  if (op.operands.size() == 4)
    f.readWord(op, op.operands[3]);
  bool isParity = f.has("parity");
  ScalarType state;
  state.bits = isParity ? 32 : 64;
  Value *operand =
      b.CreateZExt(f.readBits(op, op.operands[2], state), b.getInt64Ty());
  Value *done = phase(op, op.operands[1],
                      isParity ? kPhaseTestParity : kPhaseTest, operand);
  f.write(op, op.operands[0], b.CreateTrunc(done, b.getInt1Ty()));
}

/// The number of arrivals that were to come, of a state.
void PhaseEmitter::emitPhaseCount(Op op) {
  ScalarType state;
  state.bits = 64;
  Value *pending = b.CreateAnd(f.readBits(op, op.operands[1], state),
                               b.getInt64(kMostPhaseArrivals));
  f.write(op, op.operands[0], b.CreateTrunc(pending, b.getInt32Ty()));
}

/// cp.async.mbarrier.arrive: the copies are done. Without .noinc the arrival is
/// one more than the object expects.
void PhaseEmitter::emitPhaseOfCopies(Op op) {
  phase(op, op.operands[0], f.has("noinc") ? kPhaseArrive : kPhaseCheck,
        b.getInt64(1));
}
