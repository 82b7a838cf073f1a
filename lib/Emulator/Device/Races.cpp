//===- Races.cpp - Accesses that nothing orders ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Device/Races.h"

#include <algorithm>
#include <cstdio>

using namespace hetero::emulator;

//===----------------------------------------------------------------------===//
// Lists of spans
//===----------------------------------------------------------------------===//

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
             nameOf(other) + " " + pair.otherVerb + " " + describe(both) +
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
      first = "race: the host frees " + describe(both) + " and " +
              nameOf(*other) +
              " uses it, and nothing orders them; wait for its stream before";
  }
  prune();
  return first;
}
