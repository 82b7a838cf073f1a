//===- Trace.cpp - When each kernel, copy, region and wait was ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Report/Trace.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Report/JSON.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <tuple>

using namespace hetero::runtime;
using namespace hetero::runtime::json;
using namespace hetero;

std::atomic<bool> hetero::runtime::traceIsOn{false};

Moment Moment::now() {
  Moment moment;
  moment.real = std::chrono::duration_cast<std::chrono::nanoseconds>(
                    std::chrono::steady_clock::now().time_since_epoch())
                    .count();
  if (Driver *driver = getLoadedDriver(); driver && driver->hostTime)
    moment.emulated = static_cast<int64_t>(driver->hostTime() / 1000);
  return moment;
}

int64_t Moment::*Moment::clock() {
  // It has moved since the first stream was made.
  Driver *driver = getLoadedDriver();
  bool isVirtual = driver && driver->hostTime && driver->hostTime() > 0;
  return isVirtual ? &Moment::emulated : &Moment::real;
}

//===----------------------------------------------------------------------===//
// What has a time
//===----------------------------------------------------------------------===//

namespace {
struct Span {
  const char *category;
  std::string name;
  int32_t device;
  TraceRow row;
  /// Of a device, or the number of the host's thread.
  int32_t unit;
  int64_t bytes;
  int32_t from, to;
  Moment begin, end;

  auto place() const { return std::make_tuple(device, unit, row); }
};

struct State {
  std::mutex mutex;
  std::vector<Span> spans;
  Moment start;
};
} // namespace

static State &state() {
  static State *instance = new State;
  return *instance;
}

HeteroStatus heteroTrace(int32_t enabled) {
  if (enabled) {
    std::lock_guard<std::mutex> lock(state().mutex);
    state().spans.clear();
    state().start = Moment::now();
  }
  traceIsOn = enabled != 0;
  return HETERO_OK;
}

void hetero::runtime::traceHost(const char *category, const std::string &name,
                                Moment begin) {
  static std::atomic<int32_t> threads{0};
  static thread_local int32_t thread = threads++;
  Moment end = Moment::now();
  auto clock = Moment::clock();
  if (std::strcmp(category, "region") == 0)
    countBusy(HETERO_HOST, (end.*clock - begin.*clock) * 1e-9);
  std::lock_guard<std::mutex> lock(state().mutex);
  state().spans.push_back({category, name, HETERO_HOST, TraceRow::Work, thread,
                           /*bytes=*/-1, 0, 0, begin, end});
}

//===----------------------------------------------------------------------===//
// Events of devices
//===----------------------------------------------------------------------===//

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

/// The spans of an operation: one on each device that it is work for.
static void addSpans(const TraceOperation &operation, const std::string &name,
                     int32_t device, Moment begin, Moment end) {
  const char *category = operation.bytes < 0 ? "kernel" : "copy";
  Span span{category,       name,
            device,         operation.row,
            operation.unit, operation.bytes,
            operation.from, operation.to,
            begin,          end};
  std::lock_guard<std::mutex> lock(state().mutex);
  state().spans.push_back(span);
  if (operation.row != TraceRow::CopyIn || operation.from == HETERO_HOST)
    return;
  span.device = operation.from;
  span.unit = operation.fromUnit;
  span.row = TraceRow::CopyOut;
  state().spans.push_back(std::move(span));
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
      addSpans(entry.operation, entry.name, device, begin,
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

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Numbers of processes and threads begin with 1: viewers take 0 for idle.
static int64_t processOf(const Span &span) {
  return span.device == HETERO_HOST ? 1 : span.device + 2;
}

static int64_t threadOf(const Span &span) {
  return 3 * static_cast<int64_t>(span.unit) + static_cast<int>(span.row) + 1;
}

static std::string rowName(const Span &span) {
  std::string unit = std::to_string(span.unit);
  if (span.device == HETERO_HOST)
    return "thread " + unit;
  if (span.row == TraceRow::Work)
    return "stream " + unit;
  std::string name = span.row == TraceRow::CopyIn ? "copy in" : "copy out";
  return span.unit == 0 ? name : name + " of stream " + unit;
}

static std::string printName(const char *what, const Span &span,
                             const std::string &name) {
  return "{" + field("ph", std::string("M")) + ", " +
         field("name", std::string(what)) + ", " +
         field("pid", processOf(span)) + ", " + field("tid", threadOf(span)) +
         ", \"args\": {" + field("name", name) + "}}";
}

static std::string printMicroseconds(const char *name, int64_t nanoseconds) {
  char number[48];
  std::snprintf(number, sizeof number, "%.3f", nanoseconds * 1e-3);
  return quote(name) + ": " + number;
}

static std::string printArguments(const Span &span) {
  std::string text;
  if (span.device != HETERO_HOST)
    text = field("unit", static_cast<int64_t>(span.unit));
  if (span.bytes >= 0)
    text += ", " + field("bytes", span.bytes) + ", " +
            field("from", deviceName(span.from)) + ", " +
            field("to", deviceName(span.to));
  return "{" + text + "}";
}

static std::string printSpan(const Span &span, int64_t Moment::*clock,
                             int64_t start) {
  int64_t begin = span.begin.*clock - start;
  return "{" + field("ph", std::string("X")) + ", " + field("name", span.name) +
         ", " + field("cat", std::string(span.category)) + ", " +
         field("pid", processOf(span)) + ", " + field("tid", threadOf(span)) +
         ", " + printMicroseconds("ts", begin) + ", " +
         printMicroseconds("dur", span.end.*clock - start - begin) +
         ", \"args\": " + printArguments(span) + "}";
}

/// Row after row, in the order of time. What follows on a row starts when the
/// one before has ended, whatever the rounding of times says: viewers drop what
/// overlaps.
static void arrange(std::vector<Span> &spans, int64_t Moment::*clock) {
  std::stable_sort(spans.begin(), spans.end(),
                   [&](const Span &left, const Span &right) {
                     return std::make_pair(left.place(), left.begin.*clock) <
                            std::make_pair(right.place(), right.begin.*clock);
                   });
  for (size_t i = 1; i < spans.size(); ++i)
    if (spans[i - 1].place() == spans[i].place())
      spans[i - 1].end.*clock =
          std::min(spans[i - 1].end.*clock, spans[i].begin.*clock);
}

static std::string printTrace() {
  auto clock = Moment::clock();
  std::unique_lock<std::mutex> lock(state().mutex);
  std::vector<Span> spans = state().spans;
  int64_t start = state().start.*clock;
  lock.unlock();
  arrange(spans, clock);
  std::vector<std::string> events;
  for (size_t i = 0; i < spans.size(); ++i) {
    const Span &span = spans[i], *previous = i ? &spans[i - 1] : nullptr;
    if (!previous || previous->device != span.device)
      events.push_back(
          printName("process_name", span, deviceName(span.device)));
    if (!previous || previous->place() != span.place())
      events.push_back(printName("thread_name", span, rowName(span)));
    events.push_back(printSpan(span, clock, start));
  }
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
  for (size_t i = 0; i < events.size(); ++i)
    text += events[i] + (i + 1 < events.size() ? ",\n" : "\n");
  return text + "]}";
}

char *heteroTraceJSON(void) { return copyString(printTrace()); }
