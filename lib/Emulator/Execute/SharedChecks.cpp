//===- SharedChecks.cpp - What a block does to shared memory --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/SharedChecks.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <algorithm>
#include <numeric>

using namespace hetero::emulator;

void SharedChecks::begin(uint32_t bytes, uint32_t threads) {
  if (cells.size() < bytes)
    cells.resize(bytes);
  written.assign(bytes, false);
  numThreads = threads;
  numMembers = threads + 2 + threads / kWarpgroup;
  times.assign(numMembers, 1);
  known.resize(std::max<size_t>(known.size(), numMembers));
  hasAgents = false;
  meetAll();
}

/// Of agents among the keys; those below are addresses and barriers.
static constexpr uint64_t kAgentKey = UINT64_C(1) << 33;

void SharedChecks::startAgent(uint32_t agent, uint32_t thread) {
  hasAgents = true;
  release(kAgentKey + agent, thread);
  acquire(kAgentKey + agent, agent);
}

bool SharedChecks::isWritten(uint64_t offset, uint32_t size) const {
  return std::all_of(written.begin() + offset, written.begin() + offset + size,
                     [](bool isSet) { return isSet; });
}

void SharedChecks::noteWritten(uint64_t offset, uint32_t size) {
  std::fill_n(written.begin() + offset, size, true);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

void SharedChecks::meetAll() {
  // What agents do goes on after the barrier.
  if (hasAgents) {
    std::vector<uint32_t> threads(numThreads);
    std::iota(threads.begin(), threads.end(), 0);
    return meet(threads);
  }
  ++epoch;
  for (Clock &clock : known)
    clock.clear();
  released.clear();
}

/// Adds what the thread knows, itself included.
void SharedChecks::join(Clock &to, uint32_t thread) const {
  to.resize(numMembers);
  const Clock &clock = known[thread];
  for (size_t i = 0; i < clock.size(); ++i)
    to[i] = std::max(to[i], clock[i]);
  to[thread] = std::max(to[thread], times[thread]);
}

void SharedChecks::meet(const std::vector<uint32_t> &threads) {
  Clock joined;
  for (uint32_t thread : threads)
    join(joined, thread);
  for (uint32_t thread : threads) {
    known[thread] = joined;
    ++times[thread];
  }
}

void SharedChecks::release(uint64_t key, uint32_t thread) {
  join(released[key], thread);
  ++times[thread];
}

void SharedChecks::acquire(uint64_t key, uint32_t thread) {
  auto it = released.find(key);
  if (it == released.end())
    return;
  Clock &clock = known[thread];
  clock.resize(numMembers);
  for (size_t i = 0; i < clock.size(); ++i)
    clock[i] = std::max(clock[i], it->second[i]);
}

bool SharedChecks::isBefore(const Touch &touch, uint32_t thread) const {
  if (touch.epoch != epoch || touch.thread == thread)
    return true;
  const Clock &clock = known[thread];
  return !clock.empty() && clock[touch.thread] >= touch.time;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Two reads of different threads stay, so that another thread's write meets
/// one of them.
void SharedChecks::noteRead(Cell &cell, const Touch &touch) const {
  for (Touch &read : cell.reads)
    if (isBefore(read, touch.thread)) {
      read = touch;
      return;
    }
  cell.reads[1] = touch;
}

std::optional<SharedChecks::Conflict>
SharedChecks::access(uint32_t thread, uint64_t offset, uint32_t size,
                     uint32_t kind, uint32_t line) {
  bool isStrong = kind & kStrong, isWrite = kind & kWrites;
  if (isStrong && (!isWrite || kind & kReadsToo))
    acquire(offset, thread);
  Touch touch{epoch, thread, times[thread], line, isStrong};
  auto races = [&](const Touch &other) {
    return !isBefore(other, thread) && !(isStrong && other.isStrong);
  };
  for (uint64_t byte = offset; byte < offset + size; ++byte) {
    Cell &cell = cells[byte];
    if (races(cell.write))
      return Conflict{cell.write.thread, cell.write.line, true};
    if (!isWrite) {
      noteRead(cell, touch);
      continue;
    }
    for (const Touch &read : cell.reads)
      if (races(read))
        return Conflict{read.thread, read.line, false};
    cell = Cell{touch, {}};
  }
  if (isStrong && isWrite)
    release(offset, thread);
  return std::nullopt;
}
