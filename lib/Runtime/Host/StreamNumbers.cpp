//===- StreamNumbers.cpp - Streams by lane and unit -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Host/StreamNumbers.h"

#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

using namespace hetero::runtime;

/// Lower ones are those of units without a lane.
static constexpr int32_t kFirstNumber = 64;

namespace {
struct Numbers {
  std::mutex mutex;
  /// By lane and unit.
  std::map<std::pair<int32_t, int32_t>, int32_t> streams;
  /// From kFirstNumber.
  std::vector<std::pair<int32_t, int32_t>> places;
  std::set<int32_t> lanes;
};
} // namespace

static Numbers &numbers() {
  static Numbers *instance = new Numbers;
  return *instance;
}

int32_t hetero::runtime::findStream(int32_t lane, int32_t unit) {
  if (lane == kNoLane && unit < kFirstNumber)
    return unit;
  Numbers &all = numbers();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto [it, isNew] = all.streams.try_emplace({lane, unit}, 0);
  if (isNew) {
    it->second = kFirstNumber + static_cast<int32_t>(all.places.size());
    all.places.push_back({lane, unit});
  }
  return it->second;
}

static std::pair<int32_t, int32_t> getPlace(int32_t stream) {
  if (stream < kFirstNumber)
    return {kNoLane, stream};
  Numbers &all = numbers();
  std::lock_guard<std::mutex> lock(all.mutex);
  return all.places[stream - kFirstNumber];
}

int32_t hetero::runtime::laneOfStream(int32_t stream) {
  return getPlace(stream).first;
}

std::string hetero::runtime::describeStream(int32_t stream) {
  auto [lane, unit] = getPlace(stream);
  std::string text = std::to_string(unit);
  return lane == kNoLane ? text : text + " of lane " + std::to_string(lane);
}

int32_t hetero::runtime::takeLane() {
  Numbers &all = numbers();
  std::lock_guard<std::mutex> lock(all.mutex);
  int32_t number = kNoLane + 1;
  while (!all.lanes.insert(number).second)
    ++number;
  return number;
}

void hetero::runtime::giveLane(int32_t lane) {
  Numbers &all = numbers();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.lanes.erase(lane);
}
