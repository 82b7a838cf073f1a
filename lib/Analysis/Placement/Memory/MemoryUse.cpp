//===- MemoryUse.cpp - Bytes that live on each device ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryUse.h"

#include "llvm/Support/MathExtras.h"

#include <vector>

using namespace mlir;
using namespace mlir::hetero;

MemoryUse::MemoryUse(const MemoryModel &model, const Assignment &assignment)
    : model(model), assignment(assignment), graph(model.graph),
      replicas(countReplicas(assignment)) {
  peaks.resize(graph.topology.size());
  spans.resize(graph.values.size());
  addUses();
  // Readers have greater numbers than what they read.
  for (ValueIndex value = graph.values.size(); value-- != 0;) {
    addDefinition(value);
    share(value);
  }
  for (auto [carrier, span] : model.carriers)
    addCarried(carrier, span);
  for (ValueIndex value = 0; value < graph.values.size(); ++value)
    overwrite(value);
  collectStays();
  findPeaks();
}

//===----------------------------------------------------------------------===//
// Spans
//===----------------------------------------------------------------------===//

Span &MemoryUse::getSpan(ValueIndex value, DeviceIndex device) {
  auto &places = spans[value];
  auto *place =
      llvm::lower_bound(places, device, [](const Place &a, DeviceIndex b) {
        return a.device < b;
      });
  if (place == places.end() || place->device != device)
    place = places.insert(place, {device, Span()});
  return place->span;
}

/// The node uses the value wherever it runs.
void MemoryUse::addUse(NodeIndex index, ValueIndex value, Span span) {
  if (!assignment.isReplicated(index))
    return getSpan(value, assignment.getDevice(index)).include(span);
  for (const ReplicaCounts::Entry &entry : replicas.get(index))
    if (entry.count != 0)
      getSpan(value, entry.device).include(span);
}

/// True if what is read is a constant that is there for this node only.
bool MemoryUse::addStreamedUse(const PlacementRead &read) {
  if (!model.streamsConstants() || assignment.isReplicated(read.node))
    return false;
  DeviceIndex device = assignment.getDevice(read.node);
  if (!model.canStream(read, device))
    return false;
  stays.push_back({read.value, device, {read.node, read.node}});
  return true;
}

void MemoryUse::addUses() {
  const ProgramOrder &order = model.order;
  graph.visitReads([&](const PlacementRead &read, NodeIndex at) {
    if (addStreamedUse(read))
      return;
    addUse(read.node, read.value,
           order.getUse(at, read.block, graph.values[read.value].block));
  });
  for (const FixedUse &use : graph.fixedUses)
    getSpan(use.value, use.device)
        .include(
            order.getUse(use.at, use.block, graph.values[use.value].block));
  for (const PartialRead &read : graph.partialReads) {
    DeviceIndex device = assignment.isValueReplicated(read.value)
                             ? Topology::kHost
                             : assignment.getValueDevice(read.value);
    getSpan(read.value, device)
        .include(
            order.getUse(read.at, read.block, graph.values[read.value].block));
  }
}

/// A value is there from where it is made to where it is copied.
void MemoryUse::addDefinition(ValueIndex index) {
  const PlacementValue &value = graph.values[index];
  NodeIndex producer = value.producer;
  if (assignment.isValueReplicated(index)) {
    for (auto &[device, span] : spans[index])
      if (!span.isEmpty())
        span.include({producer, producer});
    return;
  }
  DeviceIndex home = assignment.getValueDevice(index);
  Span &span = getSpan(index, home);
  for (const auto &[device, copy] : spans[index])
    if (device != home && !copy.isEmpty())
      span.include({copy.first, copy.first});
  if (producer == kNone) {
    if (!model.isArgument[index] && value.at != 0)
      span.include({value.at - 1, value.at - 1});
  } else if (graph.nodes[producer].op) {
    span.include({producer, producer});
  } else if (model.order.getKind(producer) == CarrierKind::Block &&
             !span.isEmpty()) {
    span.first = std::min(span.first, model.order.getSpan(value.block).first);
  }
}

/// What a value is a view of lives as long as the view.
void MemoryUse::share(ValueIndex value) {
  ValueIndex viewed = model.viewed[value];
  if (viewed == kNone)
    return;
  for (auto &[device, span] : spans[value]) {
    if (span.isEmpty() || (!assignment.isValueReplicated(value) &&
                           assignment.getValueDevice(value) != device))
      continue;
    getSpan(viewed, device).include(span);
    span = {};
  }
}

/// All names of what control flow carries are one buffer: of a loop, while it
/// runs and after; of a branch, after it.
void MemoryUse::addCarried(NodeIndex carrier, Span around) {
  DeviceIndex home = assignment.getDevice(carrier);
  ValueIndex largest = kNone;
  bool isLoop = false;
  Span span;
  for (unsigned value : graph.resultsOfNode.get(carrier)) {
    isLoop |= graph.values[value].block != graph.nodes[carrier].block;
    span.include(getSpan(value, home));
    getSpan(value, home) = {};
    if (largest == kNone ||
        graph.values[value].bytes > graph.values[largest].bytes)
      largest = value;
  }
  // What a loop begins with becomes the buffer if nothing else needs it.
  if (isLoop)
    span.include({std::min(around.first + 1, around.last), around.last});
  else
    span.first = std::max(span.first, around.last + 1);
  if (largest != kNone)
    getSpan(largest, home) = span;
}

/// A destination that nothing needs afterwards becomes the result.
void MemoryUse::overwrite(ValueIndex value) {
  ValueIndex old = model.overwritten[value];
  if (old == kNone || assignment.isValueReplicated(value) ||
      model.constants[old])
    return;
  DeviceIndex home = assignment.getValueDevice(value);
  if (model.isArgument[old] && assignment.getValueDevice(old) == home)
    return;
  NodeIndex node = graph.values[value].producer;
  if (Span before = getSpan(old, home);
      !before.isEmpty() && before.last == node)
    getSpan(value, home).first = node + 1;
}

//===----------------------------------------------------------------------===//
// Peaks
//===----------------------------------------------------------------------===//

/// Constants and arguments are there in any case, and what a call returns was
/// the callee's while that ran.
void MemoryUse::setApart(ValueIndex value, SeenConstants &seen) {
  bool isReplicable = assignment.isValueReplicated(value);
  // An argument is there though nothing needs it.
  if (!isReplicable)
    getSpan(value, assignment.getValueDevice(value));
  for (auto &[device, span] : spans[value]) {
    bool isHome = isReplicable || assignment.getValueDevice(value) == device;
    if (!isHome || (span.isEmpty() && !model.isArgument[value]))
      continue;
    if (model.calls[value] != kNone)
      span.first = std::max(span.first, model.calls[value] + 1);
    // Equal constants are one.
    if (Attribute constant = model.constants[value]) {
      if (seen.insert({constant, device}).second)
        fixed.push_back(
            {value, device, {0, NodeIndex(graph.nodes.size() - 1)}});
    } else if (model.isArgument[value]) {
      fixed.push_back({value, device, getFunction(value).span});
    } else {
      continue;
    }
    span = {};
  }
}

const ProgramOrder::Function &MemoryUse::getFunction(ValueIndex value) const {
  const ProgramOrder &order = model.order;
  return order.getFunctions()[order.getFunction(graph.values[value].block)];
}

void MemoryUse::collectStays() {
  SeenConstants seen;
  for (ValueIndex value = 0; value < graph.values.size(); ++value) {
    setApart(value, seen);
    Span function = getFunction(value).span;
    for (auto [device, span] : spans[value]) {
      span.first = std::max(span.first, function.first);
      span.last = std::min(span.last, function.last);
      if (!span.isEmpty() && graph.values[value].bytes != 0)
        stays.push_back({value, device, span});
    }
  }
}

namespace {
/// A sum that neither wraps around nor saturates, so that it can be taken back.
using WideBytes = __int128;

/// Adds up the bytes of one device, from entry points to what they call.
class PeakFinder {
public:
  explicit PeakFinder(const MemoryModel &model)
      : model(model), changes(model.graph.nodes.size() + 1, 0),
        around(model.order.getFunctions().size(), 0) {}

  void addStay(const MemoryUse::Stay &stay);
  void addFixed(const MemoryUse::Stay &stay);
  void addState(const ResidentState &state) { resident += state.bytes; }
  MemoryUse::Peak run();

private:
  void runFunction(unsigned index);
  void look(NodeIndex node, unsigned function, WideBytes bytes);

  const MemoryModel &model;
  SmallVector<WideBytes, 0> changes, around;
  /// Constants and state.
  WideBytes resident = 0;
  MemoryUse::Peak peak;
};
} // namespace

void PeakFinder::addStay(const MemoryUse::Stay &stay) {
  changes[stay.span.first] += model.graph.values[stay.value].bytes;
  changes[stay.span.last + 1] -= model.graph.values[stay.value].bytes;
}

/// Arguments of what is only called are counted where it is called.
void PeakFinder::addFixed(const MemoryUse::Stay &stay) {
  const PlacementValue &value = model.graph.values[stay.value];
  unsigned function = model.order.getFunction(value.block);
  if (model.getConstant(stay.value))
    resident += value.bytes;
  else if (model.order.getFunctions()[function].isRoot)
    around[function] += value.bytes;
}

void PeakFinder::look(NodeIndex node, unsigned function, WideBytes bytes) {
  int64_t narrow = bytes > INT64_MAX ? INT64_MAX : int64_t(bytes);
  if (narrow > peak.bytes)
    peak = {narrow, node, function};
}

void PeakFinder::runFunction(unsigned index) {
  const ProgramOrder::Function &function = model.order.getFunctions()[index];
  WideBytes bytes = resident + around[index];
  look(kNone, index, bytes);
  auto call = function.calls.begin();
  for (NodeIndex node = function.span.first;
       !function.span.isEmpty() && node <= function.span.last; ++node) {
    bytes += changes[node];
    look(node, index, bytes);
    for (; call != function.calls.end() && call->first == node; ++call)
      around[call->second] = std::max(around[call->second], bytes - resident);
  }
}

MemoryUse::Peak PeakFinder::run() {
  for (unsigned function : model.order.getCallOrder())
    runFunction(function);
  return peak;
}

void MemoryUse::findPeaks() {
  struct OfDevice {
    SmallVector<const Stay *, 0> stays, fixed;
    SmallVector<const ResidentState *, 0> states;
  };
  std::vector<OfDevice> devices(peaks.size());
  for (const Stay &stay : stays)
    devices[stay.device].stays.push_back(&stay);
  for (const Stay &stay : fixed)
    devices[stay.device].fixed.push_back(&stay);
  for (const ResidentState &state : model.states)
    devices[assignment.getDevice(state.user)].states.push_back(&state);
  for (auto [device, own] : llvm::enumerate(devices)) {
    // Where there is nothing, nothing is the most.
    if (own.stays.empty() && own.fixed.empty() && own.states.empty())
      continue;
    PeakFinder finder(model);
    for (const Stay *stay : own.stays)
      finder.addStay(*stay);
    for (const Stay *stay : own.fixed)
      finder.addFixed(*stay);
    for (const ResidentState *state : own.states)
      finder.addState(*state);
    peaks[device] = finder.run();
  }
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

int64_t MemoryUse::getExcess(DeviceIndex device) const {
  std::optional<int64_t> capacity = graph.topology.getCapacity(device);
  return capacity ? std::max<int64_t>(peaks[device].bytes - *capacity, 0) : 0;
}

int64_t MemoryUse::getExcess() const {
  int64_t sum = 0;
  for (DeviceIndex device = 0; device < peaks.size(); ++device)
    sum = addTimes(sum, getExcess(device));
  return sum;
}

SmallVector<MemoryUse::Holder> MemoryUse::getLargest(DeviceIndex device,
                                                     unsigned count) const {
  const Peak &peak = peaks[device];
  SmallVector<Holder> holders;
  auto isThere = [&](const Stay &stay) {
    if (stay.device != device)
      return false;
    if (peak.node != kNone)
      return stay.span.first <= peak.node && peak.node <= stay.span.last;
    BlockIndex block = graph.values[stay.value].block;
    return model.constants[stay.value] ||
           (model.isArgument[stay.value] &&
            model.order.getFunction(block) == peak.function);
  };
  for (const Stay &stay : llvm::concat<const Stay>(stays, fixed))
    if (isThere(stay))
      holders.push_back({graph.values[stay.value].bytes, stay.value});
  for (const ResidentState &state : model.states)
    if (assignment.getDevice(state.user) == device)
      holders.push_back({state.bytes, kNone, &state});
  llvm::stable_sort(holders, [](const Holder &a, const Holder &b) {
    return a.bytes > b.bytes;
  });
  if (holders.size() > count)
    holders.truncate(count);
  return holders;
}

bool mlir::hetero::mayExceedMemory(const PlacementGraph &graph) {
  int64_t least = INT64_MAX;
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
    least =
        std::min(least, graph.topology.getCapacity(device).value_or(INT64_MAX));
  if (least == INT64_MAX)
    return false;
  uint64_t sum = 0;
  for (const PlacementValue &value : graph.values)
    sum = llvm::SaturatingAdd(sum, uint64_t(value.bytes));
  for (auto [node, state] : graph.states)
    sum = llvm::SaturatingAdd(sum, uint64_t(getStateBytes(graph, node)));
  return sum > uint64_t(least);
}
