//===- Lanes.cpp - Threads that work on requests at once ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Lanes.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

using namespace hetero::runtime;
using namespace hetero;

static thread_local Lane *current = nullptr;

Lane *hetero::runtime::currentLane() { return current; }

void hetero::runtime::beginThreadOf(Rank *rank) {
  exchangeCurrentRank(rank);
  const Driver *driver = getLoadedDriver();
  if (driver && driver->enterHost)
    driver->enterHost(rank ? rank->firstDevice / kDevicesOfRank : 0);
}

int32_t hetero::runtime::currentLaneNumber() {
  return current ? current->number : kNoLane;
}

int32_t hetero::runtime::findOwnStream(int32_t unit) {
  if (!current)
    return findStream(kNoLane, unit);
  std::vector<int32_t> &streams = current->streams;
  if (streams.size() <= static_cast<size_t>(unit))
    streams.resize(unit + 1);
  if (streams[unit] == 0)
    streams[unit] = findStream(current->number, unit);
  return streams[unit];
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

Lanes::Lanes(int64_t count) {
  for (int64_t request = 0; request < count; ++request)
    lanes.push_back(std::make_unique<Lane>(*this, takeLane(), request));
}

Lanes::~Lanes() {
  for (const auto &lane : lanes)
    giveLane(lane->number);
}

void Lanes::begin(Lane &lane) {
  current = &lane;
  Lock lock(mutex);
  changed.wait(lock, [&] { return lane.state == Lane::Runs; });
}

void Lanes::end(Lane &lane) {
  current = nullptr;
  Lock lock(mutex);
  lane.state = Lane::Over;
  if (takesTurns())
    pass();
}

bool Lanes::run(const std::function<void(Lane &)> &work) {
  Rank *rank = currentRank();
  auto runLane = [&](Lane &lane) {
    beginThreadOf(rank);
    begin(lane);
    work(lane);
    end(lane);
  };
  std::vector<std::thread> threads;
  {
    Lock lock(mutex);
    for (const auto &lane : lanes)
      try {
        threads.emplace_back(runLane, std::ref(*lane));
      } catch (const std::system_error &) {
        lane->state = Lane::Over;
      }
    // The first, unless the system refused its thread.
    for (const auto &lane : lanes)
      if (lane->state == Lane::Ready) {
        lane->state = Lane::Runs;
        break;
      }
    changed.notify_all();
  }
  for (std::thread &thread : threads)
    thread.join();
  return !threads.empty();
}

/// Whether one lane at a time runs; with the lock. All others begin when it
/// turns out that they need not wait for their turns.
bool Lanes::takesTurns() {
  if (mode != FirstAlone)
    return mode == Turns;
  const Driver *driver = getLoadedDriver();
  if (driver && driver->hasVirtualClock()) {
    mode = Turns;
    return true;
  }
  mode = AllAtOnce;
  for (const auto &lane : lanes)
    if (lane->state == Lane::Ready)
      lane->state = Lane::Runs;
  changed.notify_all();
  return false;
}

/// Says who runs next, when lanes take turns and none runs.
void Lanes::pass() {
  std::vector<Lane *> candidates;
  for (const auto &lane : lanes)
    if (lane->state == Lane::Ready || lane->state == Lane::AwaitsStreams ||
        (lane->state == Lane::AwaitsCondition && (*lane->condition)()))
      candidates.push_back(lane.get());
  if (candidates.empty())
    return;
  std::sort(candidates.begin(), candidates.end(),
            [](const Lane *a, const Lane *b) {
              return std::pair(a->request, a->number) <
                     std::pair(b->request, b->number);
            });
  std::vector<void *> streams;
  std::vector<int> counts;
  for (const Lane *lane : candidates) {
    bool waits = lane->state == Lane::AwaitsStreams;
    counts.push_back(waits ? static_cast<int>(lane->awaited.size()) : 0);
    if (waits)
      streams.insert(streams.end(), lane->awaited.begin(), lane->awaited.end());
  }
  int next = getLoadedDriver()->waitForOne(streams.data(), counts.data(),
                                           static_cast<int>(counts.size()));
  candidates[std::max(next, 0)]->state = Lane::Runs;
  changed.notify_all();
}

void Lanes::waitForTurn(Lane &lane, Lock &lock, Lane::State state) {
  lane.state = state;
  pass();
  changed.wait(lock, [&] { return lane.state == Lane::Runs; });
}

void Lanes::wait(Lane &lane, Lock &lock,
                 const std::function<bool()> &condition) {
  if (!takesTurns())
    return changed.wait(lock, condition);
  lane.condition = &condition;
  waitForTurn(lane, lock, Lane::AwaitsCondition);
}

bool Lanes::waitForStreams(Lane &lane, std::vector<cuda::Stream> streams) {
  Lock lock(mutex);
  if (!takesTurns())
    return false;
  lane.awaited = std::move(streams);
  waitForTurn(lane, lock, Lane::AwaitsStreams);
  return true;
}

void Lanes::leaveTurn(Lane &lane) {
  Lock lock(mutex);
  if (!takesTurns())
    return;
  lane.state = Lane::Away;
  pass();
}

void Lanes::takeTurn(Lane &lane) {
  Lock lock(mutex);
  if (lane.state != Lane::Away)
    return;
  lane.state = Lane::Ready;
  // Without another one that could, this one runs.
  if (std::none_of(lanes.begin(), lanes.end(), [](const auto &other) {
        return other->state == Lane::Runs;
      }))
    pass();
  changed.wait(lock, [&] { return lane.state == Lane::Runs; });
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void Lanes::beginCall(Lane &lane) {
  Lock lock(mutex);
  lane.isCalling = true;
}

void Lanes::endCall(Lane &lane) {
  Lock lock(mutex);
  lane.isCalling = false;
  ++numReturned;
  notify();
}

int64_t Lanes::countReturned() {
  Lock lock(mutex);
  return numReturned;
}

/// True for the first call under way if all others lack memory, too, and none
/// has returned since they asked for it.
bool Lanes::isStuck(const Lane &lane) const {
  return std::all_of(lanes.begin(), lanes.end(), [&](const auto &other) {
    return other.get() == &lane || !other->isCalling ||
           (other->lacksMemorySince == numReturned &&
            other->request > lane.request);
  });
}

bool Lanes::waitForMemory(Lane &lane, int64_t before) {
  Lock lock(mutex);
  lane.lacksMemorySince = before;
  ++numMemoryWaits;
  notify();
  wait(lane, lock, [&] { return numReturned != before || isStuck(lane); });
  lane.lacksMemorySince = -1;
  return numReturned != before;
}

void Lanes::waitForEarlier(Lane &lane) {
  Lock lock(mutex);
  wait(lane, lock, [&] { return numOver == lane.request; });
}

void Lanes::waitForState(Lane &lane) {
  {
    Lock lock(mutex);
    hasState = true;
  }
  waitForEarlier(lane);
}

void Lanes::endRequest() {
  ++numOver;
  notify();
}
