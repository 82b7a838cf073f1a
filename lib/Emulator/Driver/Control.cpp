//===- Control.cpp - Functions for tests and tools ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Control.h"

#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Execute/Schedule.h"

#include "hetero/Emulator/EmulatorControl.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Calls that fail
//===----------------------------------------------------------------------===//

int heteroEmulatorFail(const char *text) {
  std::vector<FailPoint> list;
  std::string_view rest = text ? text : "";
  while (!rest.empty()) {
    std::string_view entry = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
    FailPoint point;
    if (!parseFailPoint(entry, point))
      return 1;
    list.push_back(point);
  }
  setFailPoints(std::move(list));
  return 0;
}

uint64_t heteroEmulatorCalls(const char *kind) {
  return kind ? numCalls(kind) : 0;
}

//===----------------------------------------------------------------------===//
// What is alive
//===----------------------------------------------------------------------===//

namespace {
/// How much there is of what programs take and give back.
struct LiveCount {
  const char *kind;
  uint64_t number;
};
} // namespace

static std::vector<LiveCount> countLive() {
  Driver *driver = getDriver();
  if (!driver)
    return {};
  uint64_t allocations = 0, bytes = 0, contexts = 0;
  for (const auto &device : driver->devices) {
    allocations += device->memory.numAllocations();
    bytes += device->memory.usedBytes();
  }
  for (Context *context : driver->allContexts())
    contexts += context->numUsers();
  std::lock_guard<std::mutex> lock(driver->hostMutex);
  return {{"allocations", allocations},
          {"bytes", bytes},
          {"host", driver->hostRanges.size()},
          {"streams", driver->streams.size()},
          {"events", driver->events.size()},
          {"graphs", driver->graphs.size() + driver->execGraphs.size()},
          {"modules", driver->modules.size()},
          {"contexts", contexts}};
}

uint64_t heteroEmulatorLive(const char *kind) {
  uint64_t total = 0;
  for (const LiveCount &count : countLive())
    if (kind ? count.kind == std::string_view(kind)
             : count.kind != std::string_view("bytes"))
      total += count.number;
  return total;
}

bool hetero::emulator::reportLeaksAtExit(const std::string &path) {
  static std::FILE *file;
  if (path.empty())
    return true;
  file = std::fopen(path.c_str(), "a");
  if (!file)
    return false;
  std::atexit([] {
    std::string line = "{";
    for (const LiveCount &count : countLive())
      line += (line.size() > 1 ? ", \"" : "\"") + std::string(count.kind) +
              "\": " + std::to_string(count.number);
    std::fprintf(file, "%s}\n", line.c_str());
    std::fclose(file);
  });
  return true;
}

//===----------------------------------------------------------------------===//
// The virtual clock
//===----------------------------------------------------------------------===//

static Timeline *getTimeline() {
  return getDriver() ? getDriver()->timeline() : nullptr;
}

void heteroEmulatorEnterHost(int host) { Timelines::enterHost(host); }

uint64_t heteroEmulatorVirtualTime() {
  Timeline *timeline = getTimeline();
  return timeline ? timeline->makespan() : 0;
}

uint64_t heteroEmulatorHostTime() {
  Timeline *timeline = getTimeline();
  return timeline ? timeline->hostTime() : 0;
}

void heteroEmulatorHostWorks(uint64_t picoseconds) {
  if (Timeline *timeline = getTimeline())
    timeline->hostWorks(picoseconds);
}

void heteroEmulatorCallsTakeTime(int take) {
  Timeline::setCallsTakeTime(take != 0);
}

int heteroEmulatorWaitForOne(void *const *streams, const int *counts,
                             int numGroups) {
  Timeline *timeline = getTimeline();
  if (!timeline)
    return -1;
  std::vector<std::vector<OperationRef>> groups(numGroups);
  for (int i = 0; i < numGroups; ++i)
    for (int j = 0; j < counts[i]; ++j)
      if (std::shared_ptr<Stream> stream =
              getDriver()->streams.find(static_cast<cuda::Stream>(*streams++)))
        groups[i].push_back(stream->context.lastOperation(*stream));
  return static_cast<int>(timeline->hostWaitsForOne(groups));
}

/// Of the clock that there is; empty without one.
static std::string reportTimes() {
  Driver *driver = getDriver();
  if (driver && driver->timelines)
    return driver->timelines->report();
  return driver && driver->wallTimes ? driver->wallTimes->report() : "";
}

char *heteroEmulatorTimeline() {
  std::string report = reportTimes();
  return report.empty() ? nullptr : strdup(report.c_str());
}

void heteroEmulatorRestartClock() {
  if (Driver *driver = getDriver(); driver && driver->timelines)
    driver->timelines->restart();
}

uint64_t heteroEmulatorInstructions() { return numInstructions(); }

bool hetero::emulator::reportTimelineAtExit(const std::string &path) {
  static std::FILE *file;
  if (path.empty())
    return true;
  file = std::fopen(path.c_str(), "w");
  if (!file)
    return false;
  std::atexit([] {
    std::fputs(reportTimes().c_str(), file);
    std::fclose(file);
  });
  return true;
}

//===----------------------------------------------------------------------===//
// Random schedules and races
//===----------------------------------------------------------------------===//

void heteroEmulatorSchedule(int isRandom, uint64_t seed) {
  // The driver's own settings come first, if it is not there yet.
  getDriver();
  setRandomSchedule(isRandom != 0, seed);
}

uint64_t heteroEmulatorRaces() {
  Driver *driver = getDriver();
  return driver && driver->races ? driver->races->count() : 0;
}
