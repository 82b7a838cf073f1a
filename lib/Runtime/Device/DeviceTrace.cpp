//===- DeviceTrace.cpp - When each operation of a device was --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/DeviceTrace.h"

#include "Runtime/Device/Driver.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <cmath>

using namespace hetero::runtime;
using namespace hetero;

namespace {
/// What a trace asks of the driver takes no time of a virtual clock.
class UntimedCalls {
public:
  UntimedCalls() { set(0); }
  ~UntimedCalls() { set(1); }
  UntimedCalls(const UntimedCalls &) = delete;
  UntimedCalls &operator=(const UntimedCalls &) = delete;

private:
  static void set(int take) {
    if (Driver *driver = getLoadedDriver(); driver && driver->callsTakeTime)
      driver->callsTakeTime(take);
  }
};
} // namespace

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

/// Has an event take the place of the base if the host's clock is known better
/// there; how many nanoseconds the host waited for it, -1 for a failure.
int64_t DeviceTrace::tryTie(const cuda::Functions &driver, cuda::Stream stream,
                            int64_t best) {
  cuda::Event event = takeEvent(driver, spare);
  Moment before = Moment::now();
  if (!event || driver.eventRecord(event, stream) != cuda::kSuccess)
    return -1;
  Moment issued = Moment::now();
  if (driver.eventSynchronize(event) != cuda::kSuccess)
    return -1;
  int64_t waited = Moment::now().real - before.real;
  if (base)
    spare.push_back(waited < best ? base : event);
  if (!base || waited < best) {
    base = event;
    baseMoment = {before.real + waited / 2, issued.emulated};
  }
  return waited;
}

/// Finds out what the host's clock shows at an event. Its stream has no other
/// work, so that nothing is waited for but what else the machine does: the
/// shortest of several waits counts. A virtual clock is exact.
bool DeviceTrace::tie(const cuda::Functions &driver) {
  constexpr int kMostTries = 16;
  constexpr int64_t kShort = 30000;
  if (base)
    return true;
  cuda::Stream stream = nullptr;
  if (driver.streamCreate(&stream, cuda::kStreamNonBlocking) != cuda::kSuccess)
    return false;
  int64_t best = INT64_MAX;
  for (int i = 0; i < kMostTries && best > kShort; ++i) {
    int64_t waited = tryTie(driver, stream, best);
    if (waited < 0 || Moment::clock() == &Moment::emulated)
      break;
    best = std::min(best, waited);
  }
  driver.streamDestroy(stream);
  return base != nullptr;
}

cuda::Event DeviceTrace::record(const cuda::Functions &driver,
                                cuda::Stream stream) {
  UntimedCalls untimed;
  cuda::Event event = tie(driver) ? takeEvent(driver, spare) : nullptr;
  if (event)
    driver.eventRecord(event, stream);
  return event;
}

void DeviceTrace::finish(const cuda::Functions &driver, cuda::Stream stream,
                         const TraceOperation &operation, const Start &start,
                         cuda::Result result) {
  // What fails is the program's to report; the trace does without it.
  cuda::Event end = start.event && result == cuda::kSuccess
                        ? record(driver, stream)
                        : nullptr;
  if (end)
    pending.push_back({operation, operation.name, start, end});
  else if (start.event)
    spare.push_back(start.event);
}

bool DeviceTrace::find(const cuda::Functions &driver, const Pending &entry,
                       Moment &begin, Moment &end) const {
  float start = 0, duration = 0;
  if (driver.eventElapsedTime(&start, base, entry.start.event) !=
          cuda::kSuccess ||
      driver.eventElapsedTime(&duration, entry.start.event, entry.end) !=
          cuda::kSuccess)
    return false;
  auto nanoseconds = [](float milliseconds) {
    return std::llround(static_cast<double>(milliseconds) * 1e6);
  };
  begin = baseMoment.after(nanoseconds(start));
  end = begin.after(nanoseconds(duration));
  for (int64_t Moment::*clock : {&Moment::real, &Moment::emulated})
    begin.*clock =
        std::min(std::max(begin.*clock, entry.start.issued.*clock), end.*clock);
  return true;
}

void DeviceTrace::resolve(const cuda::Functions &driver, int32_t device) {
  UntimedCalls untimed;
  Moment begin, end;
  for (const Pending &entry : pending) {
    const TraceOperation &operation = entry.operation;
    if (find(driver, entry, begin, end)) {
      traceDevice(operation, entry.name, device, begin, end);
      double seconds = (end.*Moment::clock() - begin.*Moment::clock()) * 1e-9;
      if (operation.bytes < 0)
        countBusy(device, seconds);
      else
        countCopyTime(entry.name, operation.from, operation.to, seconds);
    }
    spare.push_back(entry.start.event);
    spare.push_back(entry.end);
  }
  pending.clear();
  // The driver's times are floats: after a while they are too coarse.
  constexpr int64_t kLong = 1000000000;
  if (base && end.real - baseMoment.real > kLong) {
    spare.push_back(base);
    base = nullptr;
  }
}

void DeviceTrace::clear() {
  base = nullptr;
  spare.clear();
  pending.clear();
}
