//===- Measure.cpp - Times of kernels and host regions --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "Device.h"
#include "Report.h"

#include <atomic>
#include <chrono>
#include <string>

using namespace hetero::runtime;
using Clock = std::chrono::steady_clock;

static std::atomic<bool> isOn{false};

bool hetero::runtime::isMeasuring() { return isOn; }

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

HeteroStatus heteroMeasure(int32_t enabled) {
  isOn = enabled != 0;
  return HETERO_OK;
}

HeteroStatus
hetero::runtime::measureLaunch(int32_t device, const char *kernel,
                               const std::function<HeteroStatus()> &launch) {
  if (HeteroStatus status = waitForDevice(device))
    return status;
  Clock::time_point start = Clock::now();
  if (HeteroStatus status = launch())
    return status;
  HeteroStatus status = waitForDevice(device);
  if (status == HETERO_OK)
    countTime(device, kernel, secondsSince(start));
  return status;
}

namespace {
struct HostRegion {
  /// Empty outside of a region.
  std::string name;
  Clock::time_point start;
};
} // namespace

static thread_local HostRegion region;

void hetero::runtime::beginHostRegion(const char *name) {
  endHostRegion();
  if (!isOn)
    return;
  region.name = name;
  region.start = Clock::now();
}

void hetero::runtime::endHostRegion() {
  if (region.name.empty())
    return;
  countTime(HETERO_HOST, region.name.c_str(), secondsSince(region.start));
  region.name.clear();
}
