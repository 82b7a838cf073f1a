//===- Trace.cpp - When each kernel, copy, region and wait was ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Report/Trace.h"

#include "Runtime/Host/Error.h"
#include "Runtime/Host/StreamNumbers.h"
#include "Runtime/Report/JSON.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

using namespace hetero::runtime;
using namespace hetero::runtime::json;
using namespace hetero;

std::atomic<bool> hetero::runtime::traceIsOn{false};

static std::atomic<uint64_t (*)()> virtualClock{nullptr};
static std::atomic<void (*)(uint64_t)> virtualWork{nullptr};

void hetero::runtime::setVirtualClock(uint64_t (*clock)(),
                                      void (*hostWorks)(uint64_t)) {
  virtualClock = clock;
  virtualWork = hostWorks;
}

void hetero::runtime::advanceVirtualClock(int64_t nanoseconds) {
  if (auto *works = virtualWork.load())
    works(static_cast<uint64_t>(nanoseconds) * 1000);
}

int64_t heteroClock(void) { return Moment::now().*Moment::clock(); }

int32_t heteroClockIsVirtual(void) { return virtualClock.load() != nullptr; }

void heteroAdvanceClock(int64_t nanoseconds) {
  if (nanoseconds > 0)
    advanceVirtualClock(nanoseconds);
}

Moment Moment::now() {
  Moment moment;
  moment.real = std::chrono::duration_cast<std::chrono::nanoseconds>(
                    std::chrono::steady_clock::now().time_since_epoch())
                    .count();
  if (auto *clock = virtualClock.load())
    moment.emulated = static_cast<int64_t>(clock() / 1000);
  return moment;
}

int64_t Moment::*Moment::clock() {
  return virtualClock.load() ? &Moment::emulated : &Moment::real;
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

/// From a moment on.
struct Level {
  int32_t device;
  int64_t bytes;
  Moment moment;
};

struct State {
  std::mutex mutex;
  std::vector<Span> spans;
  std::vector<Level> levels;
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
    state().levels.clear();
    state().start = Moment::now();
  }
  traceIsOn = enabled != 0;
  return HETERO_OK;
}

void hetero::runtime::traceHost(const char *category, const std::string &name,
                                Moment begin, int32_t device) {
  static std::atomic<int32_t> threads{0};
  static thread_local int32_t thread = threads++;
  Moment end = Moment::now();
  auto clock = Moment::clock();
  double seconds = (end.*clock - begin.*clock) * 1e-9;
  if (std::strcmp(category, "region") == 0)
    countBusy(HETERO_HOST, seconds);
  if (std::strcmp(category, "wait") == 0)
    countWaitTime(device, seconds);
  if (std::strcmp(category, "copy") == 0)
    countCopyTime(name, HETERO_HOST, HETERO_HOST, seconds);
  std::lock_guard<std::mutex> lock(state().mutex);
  state().spans.push_back({category, name, HETERO_HOST, TraceRow::Work, thread,
                           /*bytes=*/-1, 0, 0, begin, end});
}

void hetero::runtime::traceDevice(const TraceOperation &operation,
                                  const std::string &name, int32_t device,
                                  Moment begin, Moment end) {
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

void hetero::runtime::traceMemory(int32_t device, int64_t bytes) {
  Moment now = Moment::now();
  std::lock_guard<std::mutex> lock(state().mutex);
  state().levels.push_back({device, bytes, now});
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Numbers of processes and threads begin with 1: viewers take 0 for idle.
static int64_t processOf(int32_t device) {
  return device == HETERO_HOST ? 1 : device + 2;
}

static int64_t threadOf(const Span &span) {
  return 3 * static_cast<int64_t>(span.unit) + static_cast<int>(span.row) + 1;
}

static std::string rowName(const Span &span) {
  if (span.device == HETERO_HOST)
    return "thread " + std::to_string(span.unit);
  std::string unit = describeStream(span.unit);
  if (span.row == TraceRow::Work)
    return "stream " + unit;
  std::string name = span.row == TraceRow::CopyIn ? "copy in" : "copy out";
  return span.unit == 0 ? name : name + " of stream " + unit;
}

static std::string printName(const char *what, int64_t process, int64_t thread,
                             const std::string &name) {
  return "{" + field("ph", std::string("M")) + ", " +
         field("name", std::string(what)) + ", " + field("pid", process) +
         ", " + field("tid", thread) + ", \"args\": {" + field("name", name) +
         "}}";
}

static std::string printDevice(int32_t device, int64_t thread) {
  return printName("process_name", processOf(device), thread,
                   deviceName(device));
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
         field("pid", processOf(span.device)) + ", " +
         field("tid", threadOf(span)) + ", " + printMicroseconds("ts", begin) +
         ", " + printMicroseconds("dur", span.end.*clock - start - begin) +
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

/// A counter, which viewers draw as a curve.
static std::string printLevel(const Level &level, int64_t Moment::*clock,
                              int64_t start) {
  return "{" + field("ph", std::string("C")) + ", " +
         field("name", std::string("memory")) + ", " +
         field("pid", processOf(level.device)) + ", " +
         printMicroseconds("ts", level.moment.*clock - start) +
         ", \"args\": {" + field("bytes", level.bytes) + "}}";
}

static std::string printTrace() {
  auto clock = Moment::clock();
  std::unique_lock<std::mutex> lock(state().mutex);
  std::vector<Span> spans = state().spans;
  std::vector<Level> levels = state().levels;
  int64_t start = state().start.*clock;
  lock.unlock();
  arrange(spans, clock);
  std::vector<std::string> events;
  for (size_t i = 0; i < spans.size(); ++i) {
    const Span &span = spans[i], *previous = i ? &spans[i - 1] : nullptr;
    if (!previous || previous->device != span.device)
      events.push_back(printDevice(span.device, threadOf(span)));
    if (!previous || previous->place() != span.place())
      events.push_back(printName("thread_name", processOf(span.device),
                                 threadOf(span), rowName(span)));
    events.push_back(printSpan(span, clock, start));
  }
  std::set<int32_t> named;
  for (const Span &span : spans)
    named.insert(span.device);
  for (const Level &level : levels) {
    if (named.insert(level.device).second)
      events.push_back(printDevice(level.device, /*thread=*/1));
    events.push_back(printLevel(level, clock, start));
  }
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
  for (size_t i = 0; i < events.size(); ++i)
    text += events[i] + (i + 1 < events.size() ? ",\n" : "\n");
  return text + "]}";
}

char *heteroTraceJSON(void) { return copyString(printTrace()); }
