//===- Measure.cpp - Times of kernels and host regions --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Report/Measure.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Report/Report.h"
#include "Runtime/Report/Trace.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

using namespace hetero::runtime;

static std::atomic<bool> isOn{false};
/// Whether the virtual clock moves by what host regions take.
static std::atomic<bool> movesClock{false};

bool hetero::runtime::isMeasuring() { return isOn; }

HeteroStatus heteroMeasure(int32_t mode) {
  if (mode < HETERO_MEASURE_NOTHING || mode > HETERO_MEASURE_CALLS)
    return fail(HETERO_ERROR_INVALID_ARGUMENT,
                "expected a HETERO_MEASURE_* to measure, got " +
                    std::to_string(mode));
  if (mode == HETERO_MEASURE_PARTS)
    forgetTimes();
  isOn = mode == HETERO_MEASURE_PARTS;
  movesClock = mode == HETERO_MEASURE_CALLS;
  return HETERO_OK;
}

namespace {
/// What the thread's host region has done so far.
struct HostRegion {
  /// Empty outside of a region.
  std::string name;
  /// Of what runs since the region or the part began or was paused last.
  Moment start;
  /// What ran before, the part that runs last.
  std::vector<MeasuredPart> parts;
  int pauses = 0;
  bool isMeasured = false, isTraced = false, movesClock = false;
};
} // namespace

static thread_local HostRegion region;
/// Of the kernel that the thread will launch; owned by the program.
static thread_local const char *nextNodes = nullptr;

void hetero::runtime::countMeasured(int32_t device, const std::string &name,
                                    int64_t nanoseconds) {
  countTime(device, name.c_str(), {{nextNodes ? nextNodes : "", nanoseconds}});
  nextNodes = nullptr;
  if (!isTracing())
    countBusy(device, nanoseconds * 1e-9);
}

/// Ends what runs: a trace has a span for each part.
static void stop() {
  MeasuredPart &part = region.parts.back();
  int64_t nanoseconds = Moment::now().real - region.start.real;
  part.nanoseconds += nanoseconds;
  if (region.movesClock)
    advanceVirtualClock(nanoseconds);
  if (!region.isTraced)
    return;
  std::string name = region.name;
  if (!part.nodes.empty())
    name += ": " + part.nodes;
  std::replace(name.begin(), name.end(), '\n', ' ');
  traceHost("region", name, region.start, HETERO_HOST);
}

void hetero::runtime::beginHostRegion(const char *name) {
  endHostRegion();
  if (!isOn && !movesClock && !isTracing())
    return;
  region.name = name;
  region.parts = {{"", 0}};
  region.pauses = 0;
  region.isMeasured = isOn;
  region.isTraced = isTracing();
  region.movesClock = movesClock;
  region.start = Moment::now();
}

void hetero::runtime::endHostRegion() {
  nextNodes = nullptr;
  if (region.name.empty())
    return;
  if (region.pauses == 0)
    stop();
  if (region.isMeasured) {
    countTime(HETERO_HOST, region.name.c_str(), region.parts);
    if (!isTracing())
      countBusy(HETERO_HOST, sumSeconds(region.parts));
  }
  region.name.clear();
}

HeteroStatus heteroNode(const char *names) {
  nextNodes = names;
  if (region.name.empty())
    return HETERO_OK;
  // What the region does before its first mark is the marked work's.
  if (region.parts.size() == 1 && region.parts.front().nodes.empty()) {
    region.parts.front().nodes = names;
    return HETERO_OK;
  }
  stop();
  region.parts.push_back({names, 0});
  region.start = Moment::now();
  return HETERO_OK;
}

HostSpan::~HostSpan() {
  if (category)
    traceHost(category, name, begin, device);
}

HostRegionPause::HostRegionPause() {
  if (!region.name.empty() && region.pauses++ == 0)
    stop();
}

HostRegionPause::~HostRegionPause() {
  if (!region.name.empty() && --region.pauses == 0)
    region.start = Moment::now();
}
