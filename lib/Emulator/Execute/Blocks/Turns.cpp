//===- Turns.cpp - Threads of a block that take turns ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of a warp that run apart wait for each other at the places that
// WarpSteps has chosen, until none of the warp can go on by itself; then those
// at the first place do. Lanes that part meet again in that way where a warp
// does. A thread that waits in a loop for another one of its warp must not keep
// that one: each has so much patience, which it has again when all are in step.
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Blocks/Turns.h"

#include <chrono>
#include <thread>

using namespace hetero::emulator;

/// Of patience. A step while others of the warp wait elsewhere takes 1.
static constexpr uint32_t kOfRepeat = 1 << 12, kOfYield = 1 << 13;

void Turns::resumeNext() {
  uint32_t unit = ready.front();
  ready.pop_front();
  state.fibers()[unit]->resume();
}

void Turns::losePatience(PTXThread &thread, uint32_t amount) {
  thread.patience -= std::min(thread.patience, amount);
}

void Turns::giveWay(PTXThread &thread) {
  waited = true;
  ready.push_back(thread.index);
  state.suspend(thread);
}

void Turns::yield(PTXThread &thread) {
  if (!state.usesFibers)
    return;
  losePatience(thread, kOfYield);
  if (thread.patience == 0) {
    setState(thread, PTXThread::Idle);
    keepStep(thread.index / kWarpSize);
  }
  giveWay(thread);
  setState(thread, PTXThread::Running);
}

uint32_t Turns::step(PTXThread &thread, uint32_t place, uint64_t address,
                     bool waits) {
  if (!state.usesFibers)
    return 1u << thread.context.laneid;
  bool isRepeated =
      waits && thread.operation == place && thread.value == address;
  losePatience(thread, isRepeated ? kOfRepeat : 1);
  waited |= waits;
  thread.operation = place;
  thread.value = address;
  setState(thread, PTXThread::AtStep);
  keepStep(thread.index / kWarpSize);
  state.suspend(thread);
  return thread.mask;
}

void Turns::keepStep(uint32_t warp) {
  if (state.launch.warpFunction || !state.usesFibers ||
      state.worker.warpCounts[warp].running > 0 ||
      state.worker.warpCounts[warp].atStep == 0)
    return;
  PTXThread *threads = &state.worker.threads[warp * kWarpSize];
  uint32_t count = std::min(kWarpSize, state.numThreads - warp * kWarpSize);
  uint32_t first = ~0u, group = 0;
  auto isAt = [&](uint32_t lane, uint32_t place) {
    return threads[lane].state == PTXThread::AtStep &&
           threads[lane].operation == place;
  };
  for (uint32_t lane = 0; lane < count; ++lane)
    if (threads[lane].state == PTXThread::AtStep && threads[lane].patience > 0)
      first = std::min(first, threads[lane].operation);
  for (uint32_t lane = 0; lane < count; ++lane)
    group |= uint32_t(isAt(lane, first)) << lane;
  bool isWhole = group == state.liveMask(warp * kWarpSize);
  for (uint32_t lane = 0; lane < count; ++lane) {
    PTXThread &thread = threads[lane];
    bool isOfGroup = group >> lane & 1;
    if (thread.state != PTXThread::AtStep ||
        (!isOfGroup && thread.patience > 0))
      continue;
    thread.mask = isOfGroup ? group : 1u << lane;
    if (isWhole)
      thread.patience = kPatience;
    resume(thread);
  }
}

//===----------------------------------------------------------------------===//
// Sleep
//===----------------------------------------------------------------------===//

static uint64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

uint64_t Turns::firstToWake() const {
  uint64_t first = ~uint64_t(0);
  for (uint32_t index = 0; index < state.numThreads; ++index)
    if (uint64_t wakesAt = state.worker.threads[index].wakesAt)
      first = std::min(first, wakesAt);
  return first;
}

void Turns::sleep(PTXThread &thread, uint32_t nanoseconds) {
  constexpr uint32_t kMost = 1'000'000;
  nanoseconds = std::min(nanoseconds, kMost);
  if (state.launch.sleepsVirtually) {
    thread.slept += nanoseconds;
    return yield(thread);
  }
  losePatience(thread, kOfYield);
  thread.wakesAt = now() + nanoseconds;
  ++numAsleep;
  while (now() < thread.wakesAt) {
    // Others of the block sleep as well. Those of other blocks may not.
    if (numAsleep > ready.size() && state.isAlone)
      std::this_thread::sleep_until(std::chrono::steady_clock::time_point(
          std::chrono::nanoseconds(firstToWake())));
    giveWay(thread);
  }
  --numAsleep;
  thread.wakesAt = 0;
}
