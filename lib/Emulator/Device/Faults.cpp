//===- Faults.cpp - Calls that fail on purpose ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Device/Faults.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <mutex>

using namespace hetero::emulator;

static constexpr const char *kNames[kNumCallClasses] = {"alloc", "launch",
                                                        "copy", "device-lost"};

static std::atomic<uint64_t> counts[kNumCallClasses];

// The points change only between programs, and most processes have none.
static std::mutex pointsMutex;
static std::vector<FailPoint> &points() {
  static auto *list = new std::vector<FailPoint>;
  return *list;
}
static std::atomic<bool> hasPoints{false};

bool hetero::emulator::parseFailPoint(std::string_view text, FailPoint &point) {
  size_t colon = text.find(':');
  auto *name = std::find(std::begin(kNames), std::end(kNames),
                         text.substr(0, std::min(colon, text.size())));
  if (colon == std::string_view::npos || name == std::end(kNames))
    return false;
  point.kind = static_cast<CallClass>(name - std::begin(kNames));
  text.remove_prefix(colon + 1);
  point.andLater = !text.empty() && text.back() == '+';
  if (point.andLater)
    text.remove_suffix(1);
  point.number = 0;
  if (text.empty() || text.size() > 18)
    return false;
  for (char digit : text) {
    if (!std::isdigit(static_cast<unsigned char>(digit)))
      return false;
    point.number = point.number * 10 + (digit - '0');
  }
  return point.number > 0;
}

void hetero::emulator::setFailPoints(std::vector<FailPoint> list) {
  std::lock_guard<std::mutex> lock(pointsMutex);
  for (std::atomic<uint64_t> &count : counts)
    count = 0;
  hasPoints = !list.empty();
  points() = std::move(list);
}

std::string hetero::emulator::countCall(CallClass kind) {
  int index = static_cast<int>(kind);
  uint64_t number = ++counts[index];
  if (!hasPoints)
    return "";
  std::lock_guard<std::mutex> lock(pointsMutex);
  for (const FailPoint &point : points())
    if (point.kind == kind &&
        (point.andLater ? number >= point.number : number == point.number))
      return std::string("fail=") + kNames[index] + ":" +
             std::to_string(point.number) + (point.andLater ? "+" : "");
  return "";
}

uint64_t hetero::emulator::numCalls(std::string_view kind) {
  auto *name = std::find(std::begin(kNames), std::end(kNames), kind);
  return name == std::end(kNames) ? 0
                                  : counts[name - std::begin(kNames)].load();
}
