//===- DeviceTrace.cpp - When each operation of a device was --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/DeviceTrace.h"

#include "Runtime/Report/Report.h"

#include <cmath>

using namespace hetero::runtime;
using namespace hetero;

static cuda::Event takeEvent(const cuda::Functions &driver,
                             std::vector<cuda::Event> &spare) {
  cuda::Event event = nullptr;
  if (!spare.empty()) {
    event = spare.back();
    spare.pop_back();
  } else if (driver.eventCreate(&event, /*flags=*/0) != cuda::kSuccess) {
    return nullptr;
  }
  return event;
}

/// Finds out what the host's clock shows at an event. Its stream has no other
/// work, so that nothing is waited for.
bool DeviceTrace::tie(const cuda::Functions &driver) {
  if (base)
    return true;
  cuda::Stream stream = nullptr;
  if (driver.streamCreate(&stream, cuda::kStreamNonBlocking) != cuda::kSuccess)
    return false;
  cuda::Event event = takeEvent(driver, spare);
  if (event && driver.eventRecord(event, stream) == cuda::kSuccess) {
    Moment issued = Moment::now();
    if (driver.eventSynchronize(event) == cuda::kSuccess) {
      Moment done = Moment::now();
      base = event;
      baseMoment = {issued.real + (done.real - issued.real) / 2,
                    issued.emulated};
    }
  }
  driver.streamDestroy(stream);
  return base != nullptr;
}

cuda::Event DeviceTrace::record(const cuda::Functions &driver,
                                cuda::Stream stream) {
  cuda::Event event = tie(driver) ? takeEvent(driver, spare) : nullptr;
  if (event)
    driver.eventRecord(event, stream);
  return event;
}

void DeviceTrace::finish(const cuda::Functions &driver, cuda::Stream stream,
                         const TraceOperation &operation, cuda::Event begin,
                         cuda::Result result) {
  // What fails is the program's to report; the trace does without it.
  cuda::Event end =
      begin && result == cuda::kSuccess ? record(driver, stream) : nullptr;
  if (end)
    pending.push_back({operation, operation.name, begin, end});
  else if (begin)
    spare.push_back(begin);
}

void DeviceTrace::resolve(const cuda::Functions &driver, int32_t device) {
  auto between = [&](cuda::Event from, cuda::Event to, int64_t &nanoseconds) {
    float milliseconds = 0;
    if (driver.eventElapsedTime(&milliseconds, from, to) != cuda::kSuccess)
      return false;
    nanoseconds = std::llround(static_cast<double>(milliseconds) * 1e6);
    return true;
  };
  int64_t start = 0, duration = 0;
  for (const Pending &entry : pending) {
    if (between(base, entry.begin, start) &&
        between(entry.begin, entry.end, duration)) {
      Moment begin = baseMoment.after(start);
      traceDevice(entry.operation, entry.name, device, begin,
                  begin.after(duration));
      if (entry.operation.bytes < 0)
        countBusy(device, duration * 1e-9);
    }
    spare.push_back(entry.begin);
    spare.push_back(entry.end);
  }
  pending.clear();
  // The driver's times are floats: after a while they are too coarse.
  constexpr int64_t kLong = 1000000000;
  if (base && start > kLong) {
    spare.push_back(base);
    base = nullptr;
  }
}

void DeviceTrace::clear() {
  base = nullptr;
  spare.clear();
  pending.clear();
}
