//===- Report.cpp - Counters of what the runtime did ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Report/Report.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Report/JSON.h"
#include "Runtime/Report/Trace.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <tuple>
#include <vector>

using namespace hetero::runtime;
using namespace hetero::runtime::json;

namespace {
/// What ran, in the order of first occurrence.
struct WorkEntry {
  std::string name;
  int64_t count = 0;
  /// Of the shortest execution, if they were measured.
  std::optional<double> seconds;
  std::vector<MeasuredPart> parts;
  /// How many executions were.
  int64_t measured = 0;
};

struct CopyEntry {
  std::string value;
  int32_t from, to;
  int64_t bytes = 0, count = 0;
  /// How many were measured, and of the largest the shortest time.
  int64_t measured = 0, measuredBytes = 0;
  std::optional<double> measuredSeconds;
  /// Of all of them, if they were traced.
  std::optional<double> seconds;
};

struct ResidentEntry {
  std::string value;
  int32_t device;
  int64_t bytes;
};

struct DeviceEntry {
  int64_t currentBytes = 0, peakBytes = 0, allocations = 0, waits = 0,
          leftoverBytes = 0;
  /// Of all kernels or host regions, if they had their times taken.
  std::optional<double> busySeconds;
  /// That the host has waited for it, if waits were traced.
  std::optional<double> waitSeconds;
  std::vector<WorkEntry> work;
};

/// Calls that the host answered because a device is missing.
struct FallbackEntry {
  std::string entry;
  int32_t missing;
  int64_t count;
};

struct GraphEntry {
  int64_t instantiated = 0, operations = 0, launched = 0;
};

struct State {
  std::mutex mutex;
  GraphEntry graphs;
  std::optional<RequestsEntry> requests;
  std::vector<CopyEntry> copies;
  std::vector<ResidentEntry> residents;
  std::vector<FallbackEntry> fallbacks;
  std::map<int32_t, DeviceEntry> devices;
};
} // namespace

static State &state() {
  static State *instance = new State;
  return *instance;
}

static WorkEntry &getWork(int32_t device, const char *name) {
  std::vector<WorkEntry> &work = state().devices[device].work;
  for (WorkEntry &entry : work)
    if (entry.name == name)
      return entry;
  return work.emplace_back(WorkEntry{name, 0, std::nullopt});
}

static CopyEntry &getCopy(const char *value, int32_t from, int32_t to) {
  for (CopyEntry &entry : state().copies)
    if (entry.value == value && entry.from == from && entry.to == to)
      return entry;
  CopyEntry &entry = state().copies.emplace_back();
  entry.value = value;
  entry.from = from;
  entry.to = to;
  return entry;
}

void hetero::runtime::countCopy(const char *value, int32_t from, int32_t to,
                                int64_t bytes) {
  std::lock_guard<std::mutex> lock(state().mutex);
  CopyEntry &entry = getCopy(value, from, to);
  entry.bytes += bytes;
  ++entry.count;
}

void hetero::runtime::countMeasuredCopy(const char *value, int32_t from,
                                        int32_t to, int64_t bytes,
                                        int64_t nanoseconds) {
  std::lock_guard<std::mutex> lock(state().mutex);
  CopyEntry &entry = getCopy(value, from, to);
  double seconds = nanoseconds * 1e-9;
  ++entry.measured;
  bool isShorter = bytes == entry.measuredBytes &&
                   (!entry.measuredSeconds || seconds < *entry.measuredSeconds);
  if (bytes <= entry.measuredBytes && !isShorter)
    return;
  entry.measuredBytes = bytes;
  entry.measuredSeconds = seconds;
}

void hetero::runtime::countCopyTime(const std::string &value, int32_t from,
                                    int32_t to, double seconds) {
  std::lock_guard<std::mutex> lock(state().mutex);
  for (CopyEntry &entry : state().copies)
    if (entry.value == value && entry.from == from && entry.to == to)
      entry.seconds = entry.seconds.value_or(0) + seconds;
}

void hetero::runtime::countResident(const char *value, int32_t device,
                                    int64_t bytes) {
  std::lock_guard<std::mutex> lock(state().mutex);
  state().residents.push_back({value, device, bytes});
}

void hetero::runtime::countFallback(const char *entryPoint, int32_t missing) {
  std::lock_guard<std::mutex> lock(state().mutex);
  for (FallbackEntry &entry : state().fallbacks)
    if (entry.entry == entryPoint && entry.missing == missing) {
      ++entry.count;
      return;
    }
  state().fallbacks.push_back({entryPoint, missing, 1});
}

void hetero::runtime::countLaunch(int32_t device, const char *kernel) {
  std::lock_guard<std::mutex> lock(state().mutex);
  ++getWork(device, kernel).count;
}

void hetero::runtime::countHostRegion(const char *name) {
  std::lock_guard<std::mutex> lock(state().mutex);
  ++getWork(HETERO_HOST, name).count;
}

double hetero::runtime::sumSeconds(const std::vector<MeasuredPart> &parts) {
  int64_t nanoseconds = 0;
  for (const MeasuredPart &part : parts)
    nanoseconds += part.nanoseconds;
  return nanoseconds * 1e-9;
}

void hetero::runtime::countTime(int32_t device, const char *name,
                                const std::vector<MeasuredPart> &parts) {
  std::lock_guard<std::mutex> lock(state().mutex);
  WorkEntry &entry = getWork(device, name);
  double seconds = sumSeconds(parts);
  ++entry.measured;
  if (entry.seconds && *entry.seconds <= seconds)
    return;
  entry.seconds = seconds;
  entry.parts = parts;
}

void hetero::runtime::forgetTimes() {
  std::lock_guard<std::mutex> lock(state().mutex);
  for (CopyEntry &copy : state().copies) {
    copy.measuredSeconds.reset();
    copy.measured = copy.measuredBytes = 0;
  }
  for (auto &[device, entry] : state().devices)
    for (WorkEntry &work : entry.work) {
      work.seconds.reset();
      work.parts.clear();
      work.measured = 0;
    }
}

void hetero::runtime::countAllocation(int32_t device, int64_t bytes) {
  std::lock_guard<std::mutex> lock(state().mutex);
  DeviceEntry &entry = state().devices[device];
  ++entry.allocations;
  entry.currentBytes += bytes;
  entry.peakBytes = std::max(entry.peakBytes, entry.currentBytes);
  if (isTracing())
    traceMemory(device, entry.currentBytes);
}

void hetero::runtime::countFree(int32_t device, int64_t bytes) {
  std::lock_guard<std::mutex> lock(state().mutex);
  DeviceEntry &entry = state().devices[device];
  entry.currentBytes -= bytes;
  if (isTracing())
    traceMemory(device, entry.currentBytes);
}

void hetero::runtime::countWait(int32_t device) {
  std::lock_guard<std::mutex> lock(state().mutex);
  ++state().devices[device].waits;
}

void hetero::runtime::countWaitTime(int32_t device, double seconds) {
  std::lock_guard<std::mutex> lock(state().mutex);
  std::optional<double> &sum = state().devices[device].waitSeconds;
  sum = sum.value_or(0) + seconds;
}

void hetero::runtime::countGraph(int64_t operations) {
  std::lock_guard<std::mutex> lock(state().mutex);
  ++state().graphs.instantiated;
  state().graphs.operations += operations;
}

void hetero::runtime::countGraphLaunch() {
  std::lock_guard<std::mutex> lock(state().mutex);
  ++state().graphs.launched;
}

void hetero::runtime::countRequests(const RequestsEntry &entry) {
  std::lock_guard<std::mutex> lock(state().mutex);
  state().requests = entry;
}

void hetero::runtime::countLeftover(int32_t device, int64_t bytes) {
  std::lock_guard<std::mutex> lock(state().mutex);
  state().devices[device].leftoverBytes += bytes;
}

void hetero::runtime::countBusy(int32_t device, double seconds) {
  std::lock_guard<std::mutex> lock(state().mutex);
  std::optional<double> &sum = state().devices[device].busySeconds;
  sum = sum.value_or(0) + seconds;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static std::string printSeconds(const char *name,
                                std::optional<double> seconds) {
  if (!seconds)
    return "";
  char number[32];
  std::snprintf(number, sizeof number, "%.9e", *seconds);
  return ", " + quote(name) + ": " + number;
}

/// The names of a part, a line each, as a list.
static std::string printNodes(const std::string &lines) {
  std::vector<std::string> names;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);)
    names.push_back(line);
  return quote("nodes") + ": " + list(names, quote);
}

static std::string printPart(const MeasuredPart &part) {
  return "{" + printNodes(part.nodes) +
         printSeconds("seconds", part.nanoseconds * 1e-9) + "}";
}

/// The parts of what says which operations of the source they are of.
static std::string printParts(const std::vector<MeasuredPart> &parts) {
  bool isMarked = std::any_of(parts.begin(), parts.end(), [](const auto &part) {
    return !part.nodes.empty();
  });
  return isMarked ? ", \"parts\": " + list(parts, printPart) : "";
}

static std::string printWork(const WorkEntry &entry) {
  std::string text =
      "{" + field("name", entry.name) + ", " + field("count", entry.count);
  if (entry.seconds)
    text += printSeconds("seconds", entry.seconds) + ", " +
            field("measured", entry.measured) + printParts(entry.parts);
  return text + "}";
}

static std::string printCopy(const CopyEntry &copy) {
  std::string text =
      "{" + field("value", copy.value) + ", " +
      field("from", deviceName(copy.from)) + ", " +
      field("to", deviceName(copy.to)) + ", " + field("bytes", copy.bytes) +
      ", " + field("count", copy.count) + printSeconds("seconds", copy.seconds);
  if (copy.measuredSeconds)
    text += ", " + field("measured", copy.measured) + ", " +
            field("measured_bytes", copy.measuredBytes) +
            printSeconds("measured_seconds", copy.measuredSeconds);
  return text + "}";
}

static std::string printDevice(int32_t device, const DeviceEntry &entry) {
  std::string work = list(entry.work, printWork);
  const char *kind = device == HETERO_HOST ? "regions" : "kernels";
  return "{" + field("device", deviceName(device)) + ", " +
         field("peak_bytes", entry.peakBytes) + ", " +
         field("allocations", entry.allocations) + ", " +
         field("waits", entry.waits) + ", " +
         field("leftover_bytes", entry.leftoverBytes) +
         printSeconds("busy_seconds", entry.busySeconds) +
         printSeconds("wait_seconds", entry.waitSeconds) + ", " + quote(kind) +
         ": " + work + "}";
}

static std::string printGraphs(const GraphEntry &graphs) {
  return "{" + field("instantiated", graphs.instantiated) + ", " +
         field("operations", graphs.operations) + ", " +
         field("launched", graphs.launched) + "}";
}

static std::string printRequests(const RequestsEntry &entry) {
  return "{" + field("count", entry.count) + ", " +
         field("in_flight", entry.inFlight) +
         printSeconds("seconds", entry.seconds) +
         printSeconds("first_seconds", entry.firstSeconds) +
         printSeconds("per_second", entry.perSecond) + ", " +
         field("waits_for_memory", entry.memoryWaits) + ", " +
         quote("ordered_by_state") + ": " +
         (entry.isOrdered ? "true" : "false") + "}";
}

std::string hetero::runtime::printReport(const std::string &more) {
  State &counters = state();
  std::lock_guard<std::mutex> lock(counters.mutex);
  std::string copies = list(counters.copies, printCopy);
  std::string residents =
      list(counters.residents, [](const ResidentEntry &entry) {
        return "{" + field("value", entry.value) + ", " +
               field("device", deviceName(entry.device)) + ", " +
               field("bytes", entry.bytes) + "}";
      });
  std::string fallbacks =
      list(counters.fallbacks, [](const FallbackEntry &entry) {
        return "{" + field("entry", entry.entry) + ", " +
               field("missing", deviceName(entry.missing)) + ", " +
               field("count", entry.count) + "}";
      });
  std::string devices = list(counters.devices, [](const auto &pair) {
    return printDevice(pair.first, pair.second);
  });
  return "{\"copies\": " + copies + ", \"resident\": " + residents +
         ", \"devices\": " + devices + ", \"fallbacks\": " + fallbacks +
         ", \"graphs\": " + printGraphs(counters.graphs) +
         (counters.requests
              ? ", \"requests\": " + printRequests(*counters.requests)
              : "") +
         ", " + more + "}";
}

char *hetero::runtime::copyString(const std::string &text) {
  char *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (copy)
    std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

void heteroFreeString(char *string) { std::free(string); }

void hetero::runtime::resetCounts() {
  State &counters = state();
  std::lock_guard<std::mutex> lock(counters.mutex);
  counters.copies.clear();
  counters.residents.clear();
  counters.fallbacks.clear();
  counters.graphs = {};
  counters.requests.reset();
  // What is allocated now stays allocated.
  for (auto &[device, entry] : counters.devices) {
    int64_t current = entry.currentBytes;
    entry = DeviceEntry();
    entry.currentBytes = entry.peakBytes = current;
  }
}
