//===- Measure.cpp - Times of kernels and host regions --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Report/Measure.h"

#include "Runtime/Report/Report.h"
#include "Runtime/Report/Trace.h"

#include <atomic>
#include <string>

using namespace hetero::runtime;

static std::atomic<bool> isOn{false};

bool hetero::runtime::isMeasuring() { return isOn; }

void hetero::runtime::countMeasured(int32_t device, const std::string &name,
                                    int64_t nanoseconds) {
  double seconds = nanoseconds * 1e-9;
  countTime(device, name.c_str(), seconds);
  if (!isTracing())
    countBusy(device, seconds);
}

HeteroStatus heteroMeasure(int32_t enabled) {
  isOn = enabled != 0;
  return HETERO_OK;
}

namespace {
/// What the thread's host region has done so far.
struct HostRegion {
  /// Empty outside of a region.
  std::string name;
  /// Of what runs since the region began or was paused last.
  Moment start;
  /// Of what ran before.
  int64_t nanoseconds = 0;
  int pauses = 0;
  bool isMeasured = false, isTraced = false;
};
} // namespace

static thread_local HostRegion region;

/// Ends what runs: a trace has a span for each part.
static void stop() {
  region.nanoseconds += Moment::now().real - region.start.real;
  if (region.isTraced)
    traceHost("region", region.name, region.start);
}

void hetero::runtime::beginHostRegion(const char *name) {
  endHostRegion();
  if (!isOn && !isTracing())
    return;
  region.name = name;
  region.nanoseconds = 0;
  region.pauses = 0;
  region.isMeasured = isOn;
  region.isTraced = isTracing();
  region.start = Moment::now();
}

void hetero::runtime::endHostRegion() {
  if (region.name.empty())
    return;
  if (region.pauses == 0)
    stop();
  if (region.isMeasured)
    countMeasured(HETERO_HOST, region.name, region.nanoseconds);
  region.name.clear();
}

HostRegionPause::HostRegionPause() {
  if (!region.name.empty() && region.pauses++ == 0)
    stop();
}

HostRegionPause::~HostRegionPause() {
  if (!region.name.empty() && --region.pauses == 0)
    region.start = Moment::now();
}
