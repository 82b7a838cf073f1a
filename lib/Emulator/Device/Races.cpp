//===- Races.cpp - Accesses that nothing orders ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Device/Races.h"

#include "Emulator/Device/Device.h"

#include <algorithm>
#include <cstdio>

using namespace hetero::emulator;

//===----------------------------------------------------------------------===//
// Lists of spans
//===----------------------------------------------------------------------===//

void hetero::emulator::normalize(std::vector<Span> &spans) {
  std::sort(spans.begin(), spans.end(),
            [](Span a, Span b) { return a.begin < b.begin; });
  size_t last = 0;
  for (size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].begin <= spans[last].end)
      spans[last].end = std::max(spans[last].end, spans[i].end);
    else
      spans[++last] = spans[i];
  }
  if (!spans.empty())
    spans.resize(last + 1);
}

/// The first bytes that are in both lists; empty if there are none.
static Span intersect(const std::vector<Span> &a, const std::vector<Span> &b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    Span both = {std::max(a[i].begin, b[j].begin),
                 std::min(a[i].end, b[j].end)};
    if (both.begin < both.end)
      return both;
    ++(a[i].end < b[j].end ? i : j);
  }
  return {};
}

void AccessRecorder::add(uint32_t slot, uint64_t address, uint32_t size,
                         bool isWrite) {
  Span &span = open[isWrite][slot % kNumSlots];
  uint64_t end = address + size;
  if (address <= span.end && end >= span.begin && span.end != 0) {
    span = {std::min(span.begin, address), std::max(span.end, end)};
    return;
  }
  std::vector<Span> &list = closed[isWrite];
  if (span.end != 0)
    list.push_back(span);
  span = {address, end};
  if (list.size() < limit)
    return;
  normalize(list);
  limit = std::max(limit, 2 * list.size());
}

void AccessRecorder::moveTo(std::vector<Span> &reads,
                            std::vector<Span> &writes) {
  for (int isWrite = 0; isWrite < 2; ++isWrite) {
    std::vector<Span> &list = closed[isWrite], &to = isWrite ? writes : reads;
    for (Span &span : open[isWrite]) {
      if (span.end != 0)
        list.push_back(span);
      span = {};
    }
    normalize(list);
    to.insert(to.end(), list.begin(), list.end());
    list.clear();
  }
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static void join(std::vector<uint64_t> &clock,
                 const std::vector<uint64_t> &with) {
  if (clock.size() < with.size())
    clock.resize(with.size());
  for (size_t i = 0; i < with.size(); ++i)
    clock[i] = std::max(clock[i], with[i]);
}

/// Whether what has the clock comes after the operation, or is it.
static bool covers(const std::vector<uint64_t> &clock,
                   const Operation &operation) {
  return operation.stream < clock.size() &&
         clock[operation.stream] >= operation.position;
}

void Races::issue(const OperationRef &operation,
                  const std::vector<OperationRef> &after) {
  std::lock_guard<std::mutex> lock(mutex);
  operation->clock = hostClock;
  for (const OperationRef &other : after)
    if (other)
      join(operation->clock, other->clock);
  if (positions.size() <= operation->stream)
    positions.resize(operation->stream + 1);
  if (operation->clock.size() <= operation->stream)
    operation->clock.resize(operation->stream + 1);
  operation->position = ++positions[operation->stream];
  operation->clock[operation->stream] = operation->position;
  running.push_back(operation);
}

void Races::hostWaits(const std::vector<OperationRef> &operations) {
  std::lock_guard<std::mutex> lock(mutex);
  for (const OperationRef &operation : operations)
    if (operation)
      join(hostClock, operation->clock);
  prune();
}

/// Forgets operations that all others come after, now and from now on.
void Races::prune() {
  finished.remove_if([&](const OperationRef &operation) {
    return covers(hostClock, *operation) &&
           std::all_of(running.begin(), running.end(),
                       [&](const OperationRef &other) {
                         return covers(other->clock, *operation);
                       });
  });
}

uint64_t Races::count() {
  std::lock_guard<std::mutex> lock(mutex);
  return races;
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

static std::string nameOf(const Operation &operation) {
  return (operation.kind == Work::Kernel ? "kernel " : "a ") + operation.name +
         " (stream " + std::to_string(operation.stream) +
         " of gpu:" + std::to_string(operation.device) + ")";
}

static std::string hexadecimal(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", (unsigned long long)number);
  return text;
}

/// Where in which allocation.
static std::string placeOf(Span span) {
  std::string bytes = std::to_string(span.end - span.begin) + " bytes at ";
  Device *device = getDriver()->deviceOf(span.begin);
  AccessWindow window;
  if (!device)
    return bytes + hexadecimal(span.begin) + " of the host";
  if (!device->memory.translate(span.begin, 1, &window))
    return bytes + hexadecimal(span.begin) +
           " of gpu:" + std::to_string(device->ordinal);
  return bytes + "offset " + std::to_string(span.begin - window.begin) +
         " of the allocation of " + std::to_string(window.size) + " bytes at " +
         hexadecimal(window.begin) +
         " on gpu:" + std::to_string(device->ordinal);
}

/// Describes what two operations that nothing orders do to the same bytes.
std::string Races::findConflict(const Operation &operation,
                                const Operation &other) const {
  struct Pair {
    const std::vector<Span> &mine, &others;
    const char *verb, *otherVerb;
  };
  for (Pair pair : {Pair{operation.writes, other.writes, "writes", "writes"},
                    Pair{operation.writes, other.reads, "writes", "reads"},
                    Pair{operation.reads, other.writes, "reads", "writes"}}) {
    Span both = intersect(pair.mine, pair.others);
    if (both.begin < both.end)
      return "race: " + nameOf(operation) + " " + pair.verb + " and " +
             nameOf(other) + " " + pair.otherVerb + " " + placeOf(both) +
             ", and nothing orders them; let one stream wait for an event of "
             "the other";
  }
  return "";
}

std::string Races::finish(const OperationRef &operation, Effects *effects) {
  std::lock_guard<std::mutex> lock(mutex);
  if (effects) {
    operation->reads = std::move(effects->reads);
    operation->writes = std::move(effects->writes);
    normalize(operation->reads);
    normalize(operation->writes);
  }
  running.remove(operation);
  std::string first;
  if (operation->reads.empty() && operation->writes.empty())
    return first;
  for (const OperationRef &other : finished) {
    if (covers(operation->clock, *other) || covers(other->clock, *operation))
      continue;
    std::string conflict = findConflict(*operation, *other);
    races += !conflict.empty();
    if (first.empty())
      first = std::move(conflict);
  }
  finished.push_back(operation);
  return first;
}

std::string Races::release(Span memory) {
  std::lock_guard<std::mutex> lock(mutex);
  Operation free = {};
  free.writes = {memory};
  std::string first;
  // Copies that are under way have their accesses already.
  std::vector<OperationRef> users(finished.begin(), finished.end());
  users.insert(users.end(), running.begin(), running.end());
  for (const OperationRef &other : users) {
    if (covers(hostClock, *other))
      continue;
    Span both = intersect(free.writes, other->writes);
    if (both.begin >= both.end)
      both = intersect(free.writes, other->reads);
    if (both.begin >= both.end)
      continue;
    ++races;
    if (first.empty())
      first = "race: the host frees " + placeOf(both) + " and " +
              nameOf(*other) +
              " uses it, and nothing orders them; wait for its stream before";
  }
  prune();
  return first;
}
