//===- Timeline.cpp - The virtual clock -----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Device/Timeline.h"

#include <algorithm>
#include <tuple>

using namespace hetero::emulator;

Timeline::Timeline(const Config &config, uint64_t origin)
    : config(config), freeAt(config.devices * kNumEngines, origin),
      busy(config.devices * kNumEngines), origin(origin), host(origin),
      last(origin) {}

//===----------------------------------------------------------------------===//
// Durations
//===----------------------------------------------------------------------===//

template <typename Function>
void Timeline::forEachEngine(const Operation &operation,
                             Function function) const {
  auto call = [&](int device, Engine engine) {
    function(static_cast<size_t>(device) * kNumEngines +
             static_cast<size_t>(engine));
  };
  switch (operation.kind) {
  case Work::Kernel:
  case Work::Local:
    return call(operation.device, Engine::Compute);
  case Work::CopyIn:
    return call(operation.device, Engine::CopyIn);
  case Work::CopyOut:
    return call(operation.device, Engine::CopyOut);
  case Work::CopyPeer:
    call(operation.source, Engine::CopyOut);
    return call(operation.device, Engine::CopyIn);
  case Work::None:
    return;
  }
}

/// Rounded up, as the cost model does.
static uint64_t timeFor(uint64_t amount, uint64_t perSecond) {
  constexpr uint64_t kSecond = 1'000'000'000'000;
  return static_cast<uint64_t>(
      (static_cast<unsigned __int128>(amount) * kSecond + perSecond - 1) /
      perSecond);
}

uint64_t Timeline::duration(const Operation &operation) const {
  const DeviceRates &device = config.rates(operation.device);
  switch (operation.kind) {
  case Work::Kernel:
  case Work::Local:
    return device.launch + operation.slept +
           std::max(timeFor(operation.flops, device.flops),
                    timeFor(operation.bytes, device.bandwidth));
  case Work::CopyIn:
  case Work::CopyOut:
    return device.latency + timeFor(operation.bytes, device.link);
  case Work::CopyPeer: {
    const DeviceRates &source = config.rates(operation.source);
    return std::max(device.latency, source.latency) +
           timeFor(operation.bytes, std::min(device.link, source.link));
  }
  case Work::None:
    return 0;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Issuing and running
//===----------------------------------------------------------------------===//

static thread_local unsigned callDepth = 0;

Timeline::OneCall::OneCall(Timeline *timeline) {
  ++callDepth;
  if (timeline)
    timeline->hostWorks(timeline->config.call);
}

Timeline::OneCall::~OneCall() { --callDepth; }

void Timeline::setCallsTakeTime(bool take) { callDepth += take ? -1 : 1; }

void Timeline::issue(const OperationRef &operation,
                     std::vector<OperationRef> after) {
  after.erase(
      std::remove_if(after.begin(), after.end(),
                     [&](const OperationRef &other) { return !isMine(other); }),
      after.end());
  operation->after = std::move(after);
  operation->timeline = this;
  std::lock_guard<std::mutex> lock(mutex);
  if (callDepth == 0)
    host += config.call;
  operation->number = nextNumber++;
  operation->issued = host;
  pending[operation->stream].push_back(operation);
}

void Timeline::finish(Operation &operation, const Effects *effects) {
  constexpr uint64_t kPicoseconds = 1000;
  std::lock_guard<std::mutex> lock(mutex);
  if (effects) {
    operation.flops = effects->flops;
    operation.bytes += effects->bytes;
    operation.slept = effects->slept * kPicoseconds;
  }
  operation.isExecuted = true;
  executed.notify_all();
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// The operation that starts first among those whose predecessors have times.
/// Nothing that is issued later can start before it, unless the host has not
/// waited so far: its callers stop there.
bool Timeline::findNext(Candidate &next) const {
  next = Candidate();
  for (const auto &[stream, queue] : pending) {
    const OperationRef &operation = queue.front();
    Candidate candidate{operation, 0, operation->issued};
    bool isKnown = true;
    for (const OperationRef &other : operation->after) {
      isKnown &= other->isResolved;
      candidate.ready = std::max(candidate.ready, other->end);
    }
    if (!isKnown)
      continue;
    candidate.start = candidate.ready;
    forEachEngine(*operation, [&](size_t engine) {
      candidate.start = std::max(candidate.start, freeAt[engine]);
    });
    auto key = [](const Candidate &c) {
      return std::make_tuple(c.start, c.ready, c.operation->number);
    };
    if (!next.operation || key(candidate) < key(next))
      next = candidate;
  }
  return next.operation != nullptr;
}

/// Gives the next operation its times, once it has run and has its counts.
void Timeline::resolve(std::unique_lock<std::mutex> &lock, Candidate &next) {
  Operation &operation = *next.operation;
  executed.wait(lock, [&] { return operation.isExecuted; });
  if (operation.isResolved) // By another thread of the host meanwhile.
    return;
  operation.start = next.start;
  operation.end = next.start + duration(operation);
  operation.isResolved = true;
  operation.after.clear();
  forEachEngine(operation, [&](size_t engine) {
    freeAt[engine] = operation.end;
    busy[engine] += operation.end - operation.start;
  });
  last = std::max(last, operation.end);
  resolved.push_back(next.operation);
  auto queue = pending.find(operation.stream);
  queue->second.pop_front();
  if (queue->second.empty())
    pending.erase(queue);
}

void Timeline::resolveUntil(std::unique_lock<std::mutex> &lock,
                            const Operation &last) {
  Candidate next;
  while (!last.isResolved && findNext(next))
    resolve(lock, next);
}

void Timeline::resolveAll(std::unique_lock<std::mutex> &lock) {
  Candidate next;
  while (findNext(next))
    resolve(lock, next);
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

void Timeline::hostWaits(const std::vector<OperationRef> &operations) {
  std::unique_lock<std::mutex> lock(mutex);
  if (callDepth == 0)
    host += config.call;
  // All of them before the clock moves: it ends at the last one.
  for (const OperationRef &operation : operations)
    if (isMine(operation))
      resolveUntil(lock, *operation);
  for (const OperationRef &operation : operations)
    if (isMine(operation))
      host = std::max(host, operation->end);
}

/// When all of a group are done; UINT64_MAX if that is not known yet.
static uint64_t endOfGroup(const std::vector<OperationRef> &group) {
  uint64_t end = 0;
  for (const OperationRef &operation : group) {
    if (operation && !operation->isResolved)
      return UINT64_MAX;
    end = std::max(end, operation ? operation->end : 0);
  }
  return end;
}

size_t
Timeline::hostWaitsForOne(std::vector<std::vector<OperationRef>> groups) {
  for (std::vector<OperationRef> &group : groups)
    for (OperationRef &operation : group)
      if (!isMine(operation))
        operation = nullptr;
  std::unique_lock<std::mutex> lock(mutex);
  auto findFirst = [&] {
    size_t first = 0;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < groups.size(); ++i)
      if (uint64_t end = std::max(endOfGroup(groups[i]), host); end < least) {
        first = i;
        least = end;
      }
    return std::pair(first, least);
  };
  // One that starts before the end that is known may end before it.
  Candidate next;
  while (findNext(next) && next.start <= findFirst().second)
    resolve(lock, next);
  auto [first, end] = findFirst();
  if (end != UINT64_MAX)
    host = std::max(host, end);
  return first;
}

bool Timeline::isDone(const OperationRef &operation) {
  // The end of another host's work is no time of this host: it is done once it
  // has run.
  if (operation && !isMine(operation))
    endOf(operation);
  std::unique_lock<std::mutex> lock(mutex);
  if (callDepth == 0)
    host += config.call;
  if (!isMine(operation))
    return true;
  Candidate next;
  while (!operation->isResolved && findNext(next) && next.start <= host)
    resolve(lock, next);
  return operation->isResolved && operation->end <= host;
}

void Timeline::hostWorks(uint64_t picoseconds) {
  std::lock_guard<std::mutex> lock(mutex);
  host += picoseconds;
}

uint64_t Timeline::hostTime() {
  std::lock_guard<std::mutex> lock(mutex);
  return host - origin;
}

uint64_t Timeline::endOf(const OperationRef &operation) {
  Timeline &timeline = *operation->timeline;
  std::unique_lock<std::mutex> lock(timeline.mutex);
  timeline.resolveUntil(lock, *operation);
  return operation->end;
}

uint64_t Timeline::makespan() {
  std::unique_lock<std::mutex> lock(mutex);
  resolveAll(lock);
  return std::max(last, origin) - origin;
}

uint64_t Timeline::settle() {
  std::unique_lock<std::mutex> lock(mutex);
  resolveAll(lock);
  return std::max(host, last);
}

void Timeline::restart(uint64_t from) {
  std::unique_lock<std::mutex> lock(mutex);
  resolveAll(lock);
  origin = host = from;
  resolved.clear();
  nextNumber = 0;
  std::fill(busy.begin(), busy.end(), 0);
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

static std::string quoted(const std::string &name) {
  std::string text = "\"";
  for (char c : name)
    text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + "\"";
}

static std::string field(const char *name, uint64_t value) {
  return std::string(", \"") + name + "\": " + std::to_string(value);
}

std::string hetero::emulator::describe(const Operation &operation,
                                       uint64_t origin,
                                       const std::string &fields) {
  static constexpr const char *kKinds[] = {"kernel", "copy in", "copy out",
                                           "copy peer", "local"};
  std::string text = std::string("{\"kind\": \"") + kKinds[operation.kind] +
                     "\", \"name\": " + quoted(operation.name) +
                     ", \"device\": \"gpu:" + std::to_string(operation.device) +
                     "\"";
  if (operation.kind == Work::CopyPeer)
    text += ", \"source\": \"gpu:" + std::to_string(operation.source) + "\"";
  return text + field("stream", operation.stream) +
         field("flops", operation.flops) + field("bytes", operation.bytes) +
         field("issued", operation.issued - origin) +
         field("start", operation.start - origin) +
         field("end", operation.end - origin) + fields + "}";
}

Timeline::Times Timeline::times() {
  std::unique_lock<std::mutex> lock(mutex);
  resolveAll(lock);
  Times times{origin, std::max(last, origin) - origin, host - origin, busy, {}};
  for (const OperationRef &operation : resolved)
    if (operation->kind != Work::None)
      times.operations.push_back(operation);
  std::sort(times.operations.begin(), times.operations.end(),
            [](const auto &a, const auto &b) { return a->number < b->number; });
  return times;
}
