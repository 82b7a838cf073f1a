//===- MemoryPeaks.cpp - Bytes that live on each device -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryPeaks.h"

#include <algorithm>

using namespace mlir::hetero;

MemoryPeaks::MemoryPeaks(const PlacementProblem &problem,
                         const ProblemLists &lists)
    : problem(problem), lists(lists), memory(problem.memory),
      numDevices(problem.getNumDevices()),
      isBlockCarrier(problem.nodes.size(), false),
      firstCall(memory.functions.size() + 1, 0), peaks(numDevices, 0) {
  for (unsigned node : memory.blockCarriers)
    isBlockCarrier[node] = true;
  for (const ProblemMemory::Call &call : memory.calls)
    ++firstCall[call.function + 1];
  for (size_t i = 0; i < memory.functions.size(); ++i)
    firstCall[i + 1] += firstCall[i];
  for (const ProblemMemory::Value &value : memory.values)
    numConstants = std::max(numConstants, value.constant + 1);
}

void MemoryPeaks::find(const Pricer &current) {
  pricer = &current;
  lives.assign(problem.values.size() * numDevices, Life());
  streams.clear();
  addUses();
  // Readers have greater numbers than what they read.
  for (unsigned value = problem.values.size(); value-- != 0;) {
    addDefinition(value);
    share(value);
  }
  for (const ProblemMemory::Carrier &carrier : memory.carriers)
    addCarried(carrier);
  for (unsigned value = 0; value < problem.values.size(); ++value)
    overwrite(value);
  for (unsigned device = 0; device < numDevices; ++device) {
    collect(device);
    findPeak(device);
  }
}

int64_t MemoryPeaks::getExcess(unsigned device) const {
  int64_t capacity = problem.capacities[device];
  return peaks[device] > capacity ? peaks[device] - capacity : 0;
}

int64_t MemoryPeaks::getExcess() const {
  int64_t excess = 0;
  for (unsigned device = 0; device < numDevices; ++device)
    excess = addSaturating(excess, getExcess(device));
  return excess;
}

//===----------------------------------------------------------------------===//
// Lives
//===----------------------------------------------------------------------===//

bool MemoryPeaks::isAtHome(unsigned value, unsigned device) const {
  const PlacementAssignment &assignment = pricer->getAssignment();
  return assignment.isValueReplicated(problem, value) ||
         assignment.getValueDevice(problem, value) == device;
}

void MemoryPeaks::addUses() {
  const PlacementAssignment &assignment = pricer->getAssignment();
  for (size_t i = 0; i < problem.reads.size(); ++i) {
    const ProblemRead &read = problem.reads[i];
    ProblemSpan span = memory.reads[i];
    if (!assignment.isReplicated[read.node]) {
      unsigned device = assignment.devices[read.node];
      if (memory.isStreamed(i, device, numDevices))
        streams.push_back({device, read});
      else
        getLife(read.value, device).include(span.first, span.last);
      continue;
    }
    for (unsigned device = 0; device < numDevices; ++device)
      if (pricer->isOn(read.node, device))
        getLife(read.value, device).include(span.first, span.last);
  }
  for (size_t i = 0; i < problem.uses.size(); ++i)
    getLife(problem.uses[i].value, problem.uses[i].device)
        .include(memory.uses[i].first, memory.uses[i].last);
  for (size_t i = 0; i < problem.parts.size(); ++i) {
    unsigned value = problem.parts[i].value;
    unsigned device = assignment.isValueReplicated(problem, value)
                          ? PlacementProblem::kHost
                          : assignment.getValueDevice(problem, value);
    getLife(value, device).include(memory.parts[i].first, memory.parts[i].last);
  }
}

/// A value is there from where it is made to where it is copied.
void MemoryPeaks::addDefinition(unsigned value) {
  const PlacementAssignment &assignment = pricer->getAssignment();
  int64_t producer = problem.values[value].producer;
  if (assignment.isValueReplicated(problem, value)) {
    for (unsigned device = 0; device < numDevices; ++device)
      if (Life &life = getLife(value, device); !life.isEmpty())
        life.include(producer, producer);
    return;
  }
  unsigned home = assignment.getValueDevice(problem, value);
  Life &life = getLife(value, home);
  for (unsigned device = 0; device < numDevices; ++device)
    if (const Life &copy = getLife(value, device);
        device != home && !copy.isEmpty())
      life.include(copy.first, copy.first);
  if (producer < 0) {
    const ProblemMemory::Value &v = memory.values[value];
    if (!v.isArgument && v.at != 0)
      life.include(int64_t(v.at) - 1, int64_t(v.at) - 1);
  } else if (problem.nodes[producer].kind != ProblemNodeKind::Carried) {
    life.include(producer, producer);
  } else if (isBlockCarrier[producer] && !life.isEmpty()) {
    int64_t first = memory.blocks[problem.values[value].block].first;
    if (first >= 0)
      life.first = std::min(life.first, first);
  }
}

/// What a value is a view of lives as long as the view.
void MemoryPeaks::share(unsigned value) {
  int64_t viewed = memory.values[value].viewed;
  if (viewed < 0)
    return;
  for (unsigned device = 0; device < numDevices; ++device) {
    Life &life = getLife(value, device);
    if (life.isEmpty() || !isAtHome(value, device))
      continue;
    getLife(viewed, device).include(life.first, life.last);
    life = Life();
  }
}

/// All names of what control flow carries are one buffer: of a loop, while it
/// runs and after; of a branch, after it.
void MemoryPeaks::addCarried(const ProblemMemory::Carrier &carrier) {
  unsigned home = pricer->getAssignment().devices[carrier.node];
  int64_t largest = -1;
  bool isLoop = false;
  Life whole;
  for (unsigned value : lists.resultsOfNode.get(carrier.node)) {
    isLoop |= problem.values[value].block != problem.nodes[carrier.node].block;
    Life &life = getLife(value, home);
    whole.include(life.first, life.last);
    life = Life();
    if (largest < 0 || problem.getBytes(value) > problem.getBytes(largest))
      largest = value;
  }
  if (largest < 0)
    return;
  auto [begin, end] = carrier.span;
  // What a loop begins with becomes the buffer if nothing else needs it.
  if (isLoop)
    whole.include(std::min(begin + 1, end), end);
  else
    whole.first = std::max(whole.first, end + 1);
  getLife(largest, home) = whole;
}

/// A destination that nothing needs afterwards becomes the result.
void MemoryPeaks::overwrite(unsigned value) {
  const PlacementAssignment &assignment = pricer->getAssignment();
  int64_t old = memory.values[value].overwritten;
  if (old < 0 || assignment.isValueReplicated(problem, value) ||
      memory.values[old].constant >= 0)
    return;
  unsigned home = assignment.getValueDevice(problem, value);
  if (memory.values[old].isArgument &&
      assignment.getValueDevice(problem, old) == home)
    return;
  int64_t node = problem.values[value].producer;
  if (const Life &before = getLife(old, home);
      !before.isEmpty() && before.last == node)
    getLife(value, home).first = node + 1;
}

//===----------------------------------------------------------------------===//
// Peaks
//===----------------------------------------------------------------------===//

/// What comes and goes on a device by node, what is there for the whole program
/// and what for each function.
void MemoryPeaks::collect(unsigned device) {
  changes.assign(problem.nodes.size() + 1, 0);
  around.assign(memory.functions.size(), 0);
  isCounted.assign(numConstants, false);
  resident = 0;
  for (const ProblemMemory::State &state : memory.states)
    if (pricer->getAssignment().devices[state.node] == device)
      resident += state.bytes;
  for (unsigned value = 0; value < problem.values.size(); ++value) {
    const ProblemMemory::Value &v = memory.values[value];
    unsigned number = memory.blocks[problem.values[value].block].function;
    const ProblemMemory::Function &function = memory.functions[number];
    int64_t bytes = problem.getBytes(value);
    Life life = getLife(value, device);
    if ((!life.isEmpty() || v.isArgument) && isAtHome(value, device)) {
      // What a call returns was the callee's while that ran.
      if (v.call >= 0)
        life.first = std::max(life.first, v.call + 1);
      if (v.constant >= 0) {
        // Equal constants are one.
        resident += isCounted[v.constant] ? 0 : bytes;
        isCounted[v.constant] = true;
        continue;
      }
      // Arguments of what is only called are counted where it is called.
      if (v.isArgument) {
        around[number] += function.isRoot ? bytes : 0;
        continue;
      }
    }
    life.first = std::max(life.first, function.span.first);
    life.last = std::min(life.last, function.span.last);
    if (life.isEmpty())
      continue;
    changes[life.first] += bytes;
    changes[life.last + 1] -= bytes;
  }
  for (const auto &[where, read] : streams) {
    if (where != device)
      continue;
    changes[read.node] += problem.getBytes(read.value);
    changes[read.node + 1] -= problem.getBytes(read.value);
  }
}

/// From entry points to what they call.
void MemoryPeaks::findPeak(unsigned device) {
  __int128 peak = 0;
  for (unsigned index : memory.order) {
    const ProblemMemory::Function &function = memory.functions[index];
    __int128 bytes = resident + around[index];
    peak = std::max(peak, bytes);
    unsigned call = firstCall[index];
    for (int64_t node = function.span.first; node <= function.span.last;
         ++node) {
      bytes += changes[node];
      peak = std::max(peak, bytes);
      for (; call < firstCall[index + 1] && memory.calls[call].node == node;
           ++call) {
        __int128 &outside = around[memory.calls[call].callee];
        outside = std::max(outside, bytes - resident);
      }
    }
  }
  peaks[device] = peak > INT64_MAX ? INT64_MAX : int64_t(peak);
}
