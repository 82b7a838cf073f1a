//===- LatencyModel.cpp - A graph as work that overlaps -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LatencyModel.h"

#include "hetero/Analysis/Machine/MachineEngines.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::hetero;

LatencyModel::LatencyModel(const Assignment &assignment,
                           const ProgramSegments &segments)
    : fixed(assignment), graph(assignment.getGraph()), topology(graph.topology),
      segments(segments), items(graph.nodes.size(), kNone),
      replicas(graph.nodes.size(), kNone) {
  addMachine();
  addItems();
  for (ValueIndex value = 0; value < graph.values.size(); ++value)
    addValue(value);
  for (NodeIndex node : nodes)
    addReads(node);
  for (ValueIndex value = 0; value < graph.values.size(); ++value)
    addParts(value);
}

void LatencyModel::addMachine() {
  unsigned numDevices = problem.numDevices = topology.size();
  problem.budgets.assign(numDevices, INT64_MAX);
  // The engines that compute have the numbers of their devices.
  EngineNumbers numbers;
  for (DeviceIndex device = 0; device < numDevices; ++device) {
    numbers.get({device});
    problem.keepsOrder.push_back(topology.isHostOfNode(device));
  }
  problem.routes.resize(size_t(numDevices) * numDevices);
  problem.engines.resize(size_t(numDevices) * numDevices);
  for (DeviceIndex from = 0; from < numDevices; ++from)
    for (DeviceIndex to = 0; to < numDevices; ++to) {
      if (from == to || !topology.isReachable(from, to))
        continue;
      size_t pair = size_t(from) * numDevices + to;
      llvm::append_range(problem.routes[pair], topology.getStops(from, to));
      problem.routes[pair].push_back(to);
      if (problem.routes[pair].size() == 1)
        for (MachineEngine engine : getCopyEngines(topology, from, to))
          problem.engines[pair].push_back(numbers.get(engine));
    }
  problem.numEngines = numbers.size();
}

/// What takes time, and what is carried, is an item.
void LatencyModel::addItems() {
  llvm::DenseMap<NodeIndex, unsigned> groups;
  for (auto [number, group] : llvm::enumerate(graph.groups))
    for (NodeIndex node : group.members)
      groups[node] = number;
  SmallVector<unsigned, 0> units(graph.groups.size(), kNone);
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (!graph.nodes[node].isTimed || fixed.isReplicated(node))
      continue;
    unsigned unit = leaders.size();
    if (auto it = groups.find(node); it != groups.end()) {
      if (units[it->second] == kNone)
        units[it->second] = unit;
      unit = units[it->second];
    }
    if (unit == leaders.size())
      leaders.push_back(node);
    items[node] = nodes.size();
    nodes.push_back(node);
    problem.units.push_back(unit);
    problem.items.push_back({segments.getOfNode(node)});
    addTimes(node);
  }
}

void LatencyModel::addTimes(NodeIndex node) {
  const PlacementNode &n = graph.nodes[node];
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    bool isPossible = n.open ? graph.isAllowed(node, device)
                             : fixed.getDevice(node) == device;
    problem.times.push_back(!isPossible     ? LatencyProblem::kNever
                            : n.takesTime() ? graph.getTime(node, device)
                                            : 0);
  }
}

/// By from * devices + to.
unsigned LatencyModel::addCosts(int64_t bytes, BlockIndex block) {
  auto [it, isNew] =
      knownCosts.try_emplace({bytes, block}, problem.costs.size());
  if (isNew)
    for (DeviceIndex from = 0; from < topology.size(); ++from)
      for (DeviceIndex to = 0; to < topology.size(); ++to)
        problem.costs.push_back(
            from == to ? 0
                       : graph.tree.scale(
                             topology.getTransferTime(from, to, bytes), block));
  return it->second;
}

/// The value that stands for making a node again; its costs are by device.
unsigned LatencyModel::addReplica(NodeIndex node) {
  if (replicas[node] != kNone)
    return replicas[node];
  LatencyValue value;
  value.producer = LatencyValue::kMadeAgain;
  value.costs = problem.costs.size();
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    int64_t time = graph.getTime(node, device);
    problem.costs.push_back(time == kNever ? 0 : time);
  }
  problem.values.push_back(std::move(value));
  return replicas[node] = problem.values.size() - 1;
}

/// The values of the graph have their numbers.
void LatencyModel::addValue(ValueIndex index) {
  const PlacementValue &v = graph.values[index];
  LatencyValue value;
  value.device = v.device;
  if (v.producer != kNone) {
    value.producer =
        items[v.producer] != kNone ? items[v.producer] : LatencyValue::kGiven;
    if (DeviceIndex home = fixed.getDevice(v.producer); home != kNone)
      value.device = home;
  }
  value.costs = addCosts(v.bytes, v.block);
  for (unsigned use : graph.fixedUsesOfValue.get(index))
    if (DeviceIndex device = graph.fixedUses[use].device;
        !llvm::is_contained(value.needed, device))
      value.needed.push_back(device);
  for (unsigned read : graph.readsOfValue.get(index)) {
    NodeIndex node = graph.reads[read].node;
    if (graph.nodes[node].op || items[node] == kNone)
      continue;
    if (unsigned unit = problem.units[items[node]];
        !llvm::is_contained(value.neededBy, unit))
      value.neededBy.push_back(unit);
  }
  if (value.producer < problem.items.size())
    problem.items[value.producer].results.push_back(index);
  problem.values.push_back(std::move(value));
}

/// The host needs a part of the value, which is a value of its own then.
void LatencyModel::addParts(ValueIndex index) {
  for (unsigned read : graph.partialReadsOfValue.get(index)) {
    unsigned producer = problem.values[index].producer;
    if (producer >= problem.items.size())
      continue;
    LatencyValue part;
    part.producer = producer;
    part.costs = addCosts(graph.partialReads[read].bytes,
                          graph.partialReads[read].block);
    part.needed.push_back(Topology::kHost);
    problem.items[producer].results.push_back(problem.values.size());
    problem.values.push_back(std::move(part));
  }
}

/// Through what is replicated to what that is made of.
void LatencyModel::collectReads(NodeIndex node, Values &reads,
                                int64_t &weight) {
  SmallVector<NodeIndex> worklist{node};
  llvm::SmallDenseSet<NodeIndex> seen;
  while (!worklist.empty())
    for (unsigned read : graph.readsOfNode.get(worklist.pop_back_val())) {
      ValueIndex value = graph.reads[read].value;
      NodeIndex producer = graph.values[value].producer;
      if (producer == kNone || !fixed.isReplicated(producer)) {
        reads.push_back(value);
        continue;
      }
      if (!seen.insert(producer).second)
        continue;
      worklist.push_back(producer);
      if (graph.nodes[producer].op &&
          graph.nodes[producer].op->hasTrait<OpTrait::ConstantLike>())
        weight += graph.values[value].bytes;
      if (llvm::any_of(llvm::seq(topology.size()), [&](DeviceIndex device) {
            int64_t time = graph.getTime(producer, device);
            return time != 0 && time != kNever;
          }))
        reads.push_back(addReplica(producer));
    }
}

void LatencyModel::addReads(NodeIndex node) {
  // What is carried waits for nothing: that is needed where it is.
  if (!graph.nodes[node].op)
    return;
  Values reads;
  int64_t weight = 0;
  collectReads(node, reads, weight);
  llvm::sort(reads);
  reads.erase(llvm::unique(reads), reads.end());
  LatencyItem &item = problem.items[items[node]];
  item.reads = std::move(reads);
  item.weight = weight;
}

LatencySolution LatencyModel::getSolution(const Assignment &decided) const {
  LatencySolution solution;
  for (NodeIndex node : leaders)
    solution.push_back(decided.getDevice(node));
  return solution;
}

Assignment LatencyModel::getAssignment(const LatencySolution &solution) const {
  Assignment assignment = fixed;
  for (auto [item, node] : llvm::enumerate(nodes))
    assignment.setDevice(node, solution[problem.units[item]]);
  return assignment;
}

SmallVector<int64_t> LatencyModel::getWeights(const Assignment &decided) const {
  SmallVector<int64_t> weights(topology.size(), 0);
  for (auto [item, node] : llvm::zip_equal(problem.items, nodes))
    weights[decided.getDevice(node)] += item.weight;
  return weights;
}
