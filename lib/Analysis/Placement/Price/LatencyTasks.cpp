//===- LatencyTasks.cpp - Work and copies in segments ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LatencyTasks.h"

#include "Replicas.h"
#include "hetero/Analysis/Machine/MachineEngines.h"
#include <map>

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// What of a value's copies readers wait for.
struct Arrival {
  DeviceIndex device;
  SegmentIndex segment;
  unsigned task;
};

class TaskCollector {
public:
  TaskCollector(const Assignment &assignment, const ProgramSegments &segments)
      : assignment(assignment), graph(assignment.getGraph()),
        topology(graph.topology), segments(segments),
        replicas(countReplicas(assignment)), arrivals(graph.values.size()),
        engines(segments.size()) {
    result.segments.resize(segments.size());
  }

  LatencyTasks run();

private:
  void collectCopies();
  SegmentIndex getSegment(const PricedCopy &copy) const;
  bool isMadeIn(ValueIndex value, SegmentIndex segment) const;
  unsigned add(SegmentIndex segment, LatencyTask task, int64_t time,
               SmallVector<unsigned, 4> needs);
  void addCopy(const PricedCopy &copy);
  void addNode(NodeIndex node, DeviceIndex device);
  std::optional<unsigned> findNeed(ValueIndex value, DeviceIndex device,
                                   SegmentIndex segment) const;
  SmallVector<unsigned, 2> getEngines(SegmentIndex segment,
                                      const LatencyTask &task);

  const Assignment &assignment;
  const PlacementGraph &graph;
  const Topology &topology;
  const ProgramSegments &segments;
  ReplicaCounts replicas;
  /// Value by value.
  SmallVector<PricedCopy, 0> copies;
  /// By node and device, the number in its segment.
  llvm::DenseMap<std::pair<NodeIndex, DeviceIndex>, unsigned> tasksOfNode;
  /// By value.
  SmallVector<SmallVector<Arrival, 1>, 0> arrivals;
  /// By value, block and link: the task of a copy of the whole value.
  std::map<std::tuple<ValueIndex, BlockIndex, DeviceIndex, DeviceIndex>,
           unsigned>
      crossings;
  /// By segment.
  SmallVector<EngineNumbers, 0> engines;
  /// By segment and host: its last work.
  llvm::DenseMap<std::pair<SegmentIndex, DeviceIndex>, unsigned> lastOfHost;
  LatencyTasks result;
};
} // namespace

SegmentIndex TaskCollector::getSegment(const PricedCopy &copy) const {
  return copy.isPartial ? segments.getOfPart(copy.partialRead)
                        : segments.getOfCopy(copy.value, copy.block);
}

/// Whether an operation makes the value in that segment.
bool TaskCollector::isMadeIn(ValueIndex value, SegmentIndex segment) const {
  NodeIndex producer = graph.values[value].producer;
  return producer != kNone && graph.nodes[producer].takesTime() &&
         segments.getOfNode(producer) == segment;
}

void TaskCollector::collectCopies() {
  PlacementPrice price = computePrice(
      assignment, [&](const PricedCopy &copy) { copies.push_back(copy); });
  result.sum = price.cost;
}

/// What takes no time waits for no engine.
SmallVector<unsigned, 2> TaskCollector::getEngines(SegmentIndex segment,
                                                   const LatencyTask &task) {
  EngineNumbers &numbers = engines[segment];
  if (task.node != kNone)
    return {numbers.get({task.to})};
  return llvm::map_to_vector<2>(
      getCopyEngines(topology, task.from, task.to),
      [&](MachineEngine engine) { return numbers.get(engine); });
}

unsigned TaskCollector::add(SegmentIndex index, LatencyTask task, int64_t time,
                            SmallVector<unsigned, 4> needs) {
  LatencySegment &segment = result.segments[index];
  EngineTask work{{}, time, std::move(needs)};
  if (time != 0)
    work.engines = getEngines(index, task);
  segment.tasks.push_back(task);
  segment.work.push_back(std::move(work));
  return segment.tasks.size() - 1;
}

/// The task of a segment after which the value is there.
std::optional<unsigned> TaskCollector::findNeed(ValueIndex value,
                                                DeviceIndex device,
                                                SegmentIndex segment) const {
  bool isReplicated = assignment.isValueReplicated(value);
  if (isReplicated || assignment.getValueDevice(value) == device) {
    if (!isMadeIn(value, segment))
      return std::nullopt;
    NodeIndex producer = graph.values[value].producer;
    auto task = tasksOfNode.find({producer, device});
    return task == tasksOfNode.end() ? std::nullopt
                                     : std::optional(task->second);
  }
  for (const Arrival &arrival : arrivals[value])
    if (arrival.device == device && arrival.segment == segment)
      return arrival.task;
  return std::nullopt;
}

void TaskCollector::addCopy(const PricedCopy &copy) {
  SegmentIndex segment = getSegment(copy);
  std::optional<unsigned> last = findNeed(copy.value, copy.from, segment);
  SmallVector<DeviceIndex> stops = topology.getStops(copy.from, copy.to);
  stops.push_back(copy.to);
  DeviceIndex from = copy.from;
  for (auto [hop, stop] : llvm::enumerate(stops)) {
    // What another copy of the value has brought that far is not led again.
    auto [it, isNew] =
        crossings.try_emplace({copy.value, copy.block, from, stop}, 0);
    if (!copy.isPartial && !isNew) {
      last = it->second;
      from = stop;
      continue;
    }
    int64_t time = graph.tree.scale(
        topology.getTransferTime(from, stop, copy.bytes), copy.block);
    SmallVector<unsigned, 4> needs;
    if (last)
      needs.push_back(*last);
    last = add(segment,
               {kNone, copy.value, from, stop, copy.block, copy.partialRead,
                copy.to, unsigned(hop)},
               time, std::move(needs));
    if (!copy.isPartial)
      it->second = *last;
    else if (isNew)
      crossings.erase(it);
    from = stop;
  }
  if (!copy.isPartial)
    arrivals[copy.value].push_back({copy.to, segment, *last});
}

void TaskCollector::addNode(NodeIndex node, DeviceIndex device) {
  SegmentIndex segment = segments.getOfNode(node);
  int64_t time = graph.getTime(node, device);
  SmallVector<unsigned, 4> needs;
  for (unsigned read : graph.readsOfNode.get(node))
    if (auto need = findNeed(graph.reads[read].value, device, segment))
      needs.push_back(*need);
  // A host does one thing after the other.
  bool isHost = topology.isHostOfNode(device) && time != 0;
  auto last = lastOfHost.find({segment, device});
  if (isHost && last != lastOfHost.end())
    needs.push_back(last->second);
  unsigned task =
      add(segment, {node, kNone, device, device}, time, std::move(needs));
  if (isHost)
    lastOfHost[{segment, device}] = task;
  tasksOfNode[{node, device}] = task;
}

/// Copies of what is there when their segment begins, then the operations, each
/// with the copies of what it makes.
LatencyTasks TaskCollector::run() {
  collectCopies();
  // Ways over several links may take a little longer than their price.
  if (result.sum > INT64_MAX / 4) {
    result.sum = INT64_MAX;
    result.segments.clear();
    return std::move(result);
  }
  SmallVector<unsigned, 0> first(graph.values.size() + 1, 0);
  for (const PricedCopy &copy : copies)
    ++first[copy.value + 1];
  for (ValueIndex value = 0; value < graph.values.size(); ++value)
    first[value + 1] += first[value];
  for (const PricedCopy &copy : copies)
    if (!isMadeIn(copy.value, getSegment(copy)))
      addCopy(copy);
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (!graph.nodes[node].takesTime())
      continue;
    if (!assignment.isReplicated(node))
      addNode(node, assignment.getDevice(node));
    for (const ReplicaCounts::Entry &entry : replicas.get(node))
      if (entry.count != 0)
        addNode(node, entry.device);
    for (ValueIndex value : graph.resultsOfNode.get(node))
      for (unsigned copy = first[value]; copy < first[value + 1]; ++copy)
        if (isMadeIn(value, getSegment(copies[copy])))
          addCopy(copies[copy]);
  }
  return std::move(result);
}

LatencyTasks mlir::hetero::collectTasks(const Assignment &assignment,
                                        const ProgramSegments &segments) {
  return TaskCollector(assignment, segments).run();
}

int64_t LatencyTasks::schedule(ScheduleEffort effort) const {
  if (!isPossible())
    return INT64_MAX;
  int64_t latency = 0;
  for (const LatencySegment &segment : segments)
    latency += scheduleEngines(segment.work, effort).makespan;
  return latency;
}

int64_t LatencyTasks::getBound() const {
  if (!isPossible())
    return INT64_MAX;
  int64_t bound = 0;
  for (const LatencySegment &segment : segments)
    bound += boundEngines(segment.work);
  return bound;
}

int64_t mlir::hetero::computeLatency(const Assignment &assignment,
                                     const ProgramSegments &segments) {
  return collectTasks(assignment, segments).schedule(ScheduleEffort::Several);
}
