//===- PhaseBarrier.cpp - What threads do to objects of mbarrier ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Async/PhaseBarrier.h"

#include "Emulator/Execute/Blocks/Block.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <string>

using namespace hetero::emulator;
using namespace hetero;

/// What is wrong is reported; false then.
static bool checkArrivals(PTXThread &thread, const PhaseBarrier &object,
                          uint64_t arrivals, bool isEarly) {
  if (arrivals == 0 || arrivals > object.pending()) {
    thread.block->reportMeeting(thread,
                                "arrives " + std::to_string(arrivals) +
                                    " times at an mbarrier that waits for " +
                                    std::to_string(object.pending()));
    return false;
  }
  if (!isEarly || arrivals < object.pending())
    return true;
  thread.block->reportMeeting(
      thread, "ends a phase of an mbarrier with an arrival that must not");
  return false;
}

/// No string is left when the thread leaves its stack.
static void reportInit(PTXThread &thread, uint64_t arrivals) {
  thread.block->reportMeeting(thread, "initializes an mbarrier for " +
                                          std::to_string(arrivals) +
                                          " arrivals, not for 1 to 1048575");
}

static uint64_t initialize(PTXThread &thread, uint64_t *object,
                           uint64_t arrivals) {
  if (arrivals == 0 || arrivals > PhaseBarrier::kMostArrivals) {
    reportInit(thread, arrivals);
    thread.block->leave(thread);
  }
  *object = PhaseBarrier::initial(arrivals);
  return 0;
}

static uint64_t arrive(PTXThread &thread, uint64_t *object, uint64_t arrivals,
                       bool drops, bool isEarly) {
  uint64_t before = *object;
  PhaseBarrier barrier(before);
  if (!checkArrivals(thread, barrier, arrivals, isEarly))
    thread.block->leave(thread);
  *object = barrier.arrive(arrivals, drops);
  return before;
}

/// No string is left when the thread leaves its stack.
static void reportBytes(PTXThread &thread, int64_t count) {
  thread.block->reportMeeting(thread,
                              "makes the transaction count of an mbarrier " +
                                  std::to_string(count) + ", beyond 1048575");
}

void hetero::emulator::expectBytes(PTXThread &thread, uint64_t *object,
                                   int64_t more) {
  PhaseBarrier barrier(*object);
  int64_t count = barrier.bytes() + more;
  if (count > PhaseBarrier::kMostBytes || count < -PhaseBarrier::kMostBytes) {
    reportBytes(thread, count);
    thread.block->leave(thread);
  }
  *object = barrier.expect(more);
}

void hetero::emulator::checkPhaseObject(PTXThread &thread,
                                        const uint64_t *object) {
  if (PhaseBarrier(*object).isValid())
    return;
  thread.block->reportMeeting(thread,
                              "uses an mbarrier that was not initialized");
  thread.block->leave(thread);
}

/// A thread that has to wait lets others run.
static uint64_t test(PTXThread &thread, const uint64_t *object,
                     uint64_t parity) {
  if (PhaseBarrier(*object).parity() == (parity & 1)) {
    thread.block->turns.yield(thread);
    return 0;
  }
  return 1;
}

uint64_t heteroEmuPhase(ThreadContext *context, uint32_t operation,
                        uint64_t *object, uint64_t operand) {
  PTXThread &thread = threadOf(context);
  if (operation == kPhaseInit)
    return initialize(thread, object, operand);
  checkPhaseObject(thread, object);
  uint64_t before = *object;
  switch (operation) {
  case kPhaseInvalidate:
    *object = 0;
    return 0;
  case kPhaseArrive:
  case kPhaseArriveEarly:
  case kPhaseDrop:
  case kPhaseDropEarly:
    return arrive(thread, object, operand,
                  operation == kPhaseDrop || operation == kPhaseDropEarly,
                  operation == kPhaseArriveEarly ||
                      operation == kPhaseDropEarly);
  case kPhaseExpect:
  case kPhaseComplete:
    expectBytes(thread, object,
                operation == kPhaseExpect ? int64_t(operand)
                                          : -int64_t(operand));
    return before;
  case kPhaseArriveExpect:
    // The bytes come first: with them the phase goes on.
    expectBytes(thread, object, int64_t(operand));
    arrive(thread, object, 1, /*drops=*/false, /*isEarly=*/false);
    return before;
  case kPhaseTest:
    return test(thread, object, PhaseBarrier(operand).parity());
  case kPhaseTestParity:
    return test(thread, object, operand);
  default:
    return 0;
  }
}
