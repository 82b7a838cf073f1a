//===- Barriers.cpp - The barriers of a block -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Blocks/Barriers.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

/// Of barriers among the keys of SharedChecks; those below are addresses.
static constexpr uint64_t kBarrierKey = UINT64_C(1) << 32;

static PTXThread &firstOf(const WarpContext &warp, uint32_t mask) {
  return threadOf(&warp, __builtin_ctz(mask));
}

bool Barriers::tryComplete(uint32_t id) {
  Barrier &barrier = barriers[id];
  uint32_t expected = barrier.expected ? barrier.expected : state.live;
  if (barrier.arrived < expected)
    return false;
  const uint32_t results[] = {barrier.count, barrier.all, barrier.any};
  if (state.sharedChecks())
    note(id);
  barrier = Barrier();
  clusterPhase += id == kClusterBarrier;
  if (state.launch.warpFunction)
    resumeWarps(id, results);
  else
    resumeThreads(id, results);
  return true;
}

/// Accesses before the barrier come before those after it.
void Barriers::note(uint32_t id) {
  std::vector<uint32_t> waiting;
  for (uint32_t index = 0; index < state.numThreads; ++index)
    if (state.worker.threads[index].state == PTXThread::AtBarrier &&
        state.worker.threads[index].barrier == id)
      waiting.push_back(index);
  if (waiting.size() == state.live)
    return state.sharedChecks()->meetAll();
  state.sharedChecks()->meet(waiting);
  for (uint32_t index : waiting)
    state.sharedChecks()->acquire(kBarrierKey + id, index);
}

void Barriers::resumeThreads(uint32_t id, const uint32_t *results) {
  for (uint32_t index = 0; index < state.numThreads; ++index) {
    PTXThread &thread = state.worker.threads[index];
    if (thread.state != PTXThread::AtBarrier || thread.barrier != id)
      continue;
    thread.value = results[thread.operation];
    turns.resume(thread);
  }
}

/// Leaves the thread when it asks for what no barrier does.
void Barriers::check(PTXThread &thread, uint32_t id, uint32_t count) {
  const char *problem = nullptr;
  if (id >= kNumBarriers)
    problem = "uses a barrier whose number is not below 16";
  else if (count % kWarpSize != 0)
    problem = "waits at a barrier for a number of threads that is not a "
              "multiple of 32";
  else if (barriers[id].arrived > 0 && barriers[id].expected != count)
    problem = "waits at a barrier for another number of threads than those "
              "that wait there";
  if (!problem)
    return;
  state.reportMeeting(thread, problem);
  state.leave(thread);
}

uint32_t Barriers::wait(PTXThread &thread, uint32_t id, uint32_t count,
                        uint32_t mode, uint32_t predicate) {
  if (!state.usesFibers && state.numThreads == 1)
    return predicate != 0;
  check(thread, id, count);
  Barrier &barrier = barriers[id];
  barrier.expected = count;
  ++barrier.arrived;
  barrier.count += predicate != 0;
  barrier.all &= predicate != 0;
  barrier.any |= predicate != 0;
  turns.setState(thread, PTXThread::AtBarrier);
  thread.barrier = static_cast<uint8_t>(id);
  thread.operation = std::min(mode, 2u);
  tryComplete(id);
  turns.keepStep(thread.index / kWarpSize);
  state.suspend(thread);
  return static_cast<uint32_t>(thread.value);
}

void Barriers::arrive(PTXThread &thread, uint32_t id, uint32_t count) {
  check(thread, id, count);
  barriers[id].expected = count;
  ++barriers[id].arrived;
  if (SharedChecks *checks = state.sharedChecks())
    checks->release(kBarrierKey + id, thread.index);
  tryComplete(id);
}

uint32_t Barriers::waitOfWarp(WarpContext &warp, uint32_t mask, uint32_t id,
                              uint32_t count, uint32_t mode,
                              uint32_t predicates) {
  PTXThread &first = firstOf(warp, mask);
  check(first, id, count);
  Barrier &barrier = barriers[id];
  barrier.expected = count;
  barrier.arrived += __builtin_popcount(mask);
  barrier.count += __builtin_popcount(predicates);
  barrier.all &= predicates == mask;
  barrier.any |= predicates != 0;
  WarpState &warpState = state.worker.warpStates[state.unitOf(first.index)];
  warpState = {mask, id, std::min(mode, 2u), 0};
  tryComplete(id);
  state.suspend(first);
  return warpState.result;
}

void Barriers::resumeWarps(uint32_t id, const uint32_t *results) {
  for (uint32_t index = 0; index < state.numUnits; ++index) {
    WarpState &warpState = state.worker.warpStates[index];
    if (!warpState.waiting || warpState.barrier != id)
      continue;
    warpState.waiting = 0;
    warpState.result = results[warpState.operation];
    turns.add(index);
  }
}

void Barriers::arriveOfWarp(WarpContext &warp, uint32_t mask, uint32_t id,
                            uint32_t count) {
  check(firstOf(warp, mask), id, count);
  barriers[id].expected = count;
  barriers[id].arrived += __builtin_popcount(mask);
  tryComplete(id);
}

/// Leaves the thread when it arrives twice, or waits for nothing.
void Barriers::checkCluster(PTXThread &thread, bool arrives) {
  if (arrives == !thread.clusterArrival)
    return;
  state.reportMeeting(thread,
                      arrives ? "arrives at the barrier of the cluster twice, "
                                "and has not waited there"
                              : "waits at the barrier of the cluster, and has "
                                "not arrived there");
  state.leave(thread);
}

void Barriers::arriveAtCluster(PTXThread &thread) {
  checkCluster(thread, /*arrives=*/true);
  thread.clusterArrival = clusterPhase;
  if (SharedChecks *checks = state.sharedChecks())
    checks->release(kBarrierKey + kClusterBarrier, thread.index);
  ++barriers[kClusterBarrier].arrived;
  if (state.usesFibers || state.numThreads > 1)
    tryComplete(kClusterBarrier);
}

void Barriers::waitForCluster(PTXThread &thread) {
  checkCluster(thread, /*arrives=*/false);
  bool isOver = clusterPhase != thread.clusterArrival || !state.usesFibers;
  thread.clusterArrival = 0;
  if (!isOver) {
    turns.setState(thread, PTXThread::AtBarrier);
    thread.barrier = kClusterBarrier;
    thread.operation = 0;
    turns.keepStep(thread.index / kWarpSize);
    state.suspend(thread);
  }
  if (SharedChecks *checks = state.sharedChecks())
    checks->acquire(kBarrierKey + kClusterBarrier, thread.index);
}

void Barriers::noteEnd(PTXThread &thread) {
  if (thread.clusterArrival == clusterPhase)
    --barriers[kClusterBarrier].arrived;
  for (uint32_t id = 0; id <= kClusterBarrier; ++id)
    if (barriers[id].arrived > 0)
      tryComplete(id);
}
