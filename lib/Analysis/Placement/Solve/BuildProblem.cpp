//===- BuildProblem.cpp - A graph as numbers ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most operations of a program have the times, sizes and devices of others:
// those are written once.
//
//===----------------------------------------------------------------------===//

#include "BuildProblem.h"

#include "Repetition.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Numbers the distinct ones of what it is given.
template <typename Key> class Numbering {
public:
  /// The number, and whether it is a new one.
  std::pair<unsigned, bool> add(const Key &key) {
    auto [it, isNew] = numbers.try_emplace(key, numbers.size());
    return {it->second, isNew};
  }

private:
  std::map<Key, unsigned> numbers;
};

/// Makes the problem of one graph.
class ProblemBuilder {
public:
  explicit ProblemBuilder(const PlacementGraph &graph)
      : graph(graph), topology(graph.topology) {}

  PlacementProblem run();

private:
  void addMachine();
  void addBlocks();
  void addNode(NodeIndex index);
  void addGroups();
  void addValues();
  unsigned addSize(int64_t bytes);
  int64_t addTimes(NodeIndex index);
  unsigned addAllowed(NodeIndex index);

  const PlacementGraph &graph;
  const Topology &topology;
  PlacementProblem problem;
  llvm::DenseMap<int64_t, unsigned> sizes;
  Numbering<std::vector<int64_t>> rows;
  Numbering<std::vector<DeviceIndex>> sets;
};
} // namespace

void ProblemBuilder::addMachine() {
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    problem.devices.push_back(topology.getDevice(device).str());
    problem.capacities.push_back(
        topology.getCapacity(device).value_or(INT64_MAX));
    problem.overlaps.push_back(topology.overlapsCopies(device));
    for (DeviceIndex to = 0; to < topology.size(); ++to) {
      problem.unified.push_back(device == to || topology.isUnified(device, to));
      SmallVector<DeviceIndex> stops = topology.getStops(device, to);
      problem.next.push_back(!topology.isReachable(device, to) ? -1
                             : stops.empty()                   ? int64_t(to)
                                                               : stops.front());
    }
  }
}

void ProblemBuilder::addBlocks() {
  for (BlockIndex block = 0; block < graph.tree.size(); ++block) {
    BlockIndex parent = graph.tree.getParent(block);
    problem.blocks.push_back({parent == BlockTree::kNone ? -1 : int64_t(parent),
                              graph.tree.getFrequency(block)});
  }
}

unsigned ProblemBuilder::addSize(int64_t bytes) {
  auto [it, isNew] = sizes.try_emplace(bytes, problem.sizes.size());
  if (isNew) {
    problem.sizes.push_back(bytes);
    for (DeviceIndex from = 0; from < topology.size(); ++from)
      for (DeviceIndex to = 0; to < topology.size(); ++to)
        problem.transfers.push_back(
            from == to ? 0 : topology.getTransferTime(from, to, bytes));
  }
  return it->second;
}

int64_t ProblemBuilder::addTimes(NodeIndex index) {
  if (!graph.nodes[index].isTimed)
    return -1;
  std::vector<int64_t> row(topology.size());
  for (DeviceIndex device = 0; device < topology.size(); ++device)
    row[device] = graph.getTime(index, device);
  auto [number, isNew] = rows.add(row);
  if (isNew)
    llvm::append_range(problem.times, row);
  return int64_t(number) * topology.size();
}

unsigned ProblemBuilder::addAllowed(NodeIndex index) {
  std::vector<DeviceIndex> set;
  for (DeviceIndex device = 0; device < topology.size(); ++device)
    if (graph.isAllowed(index, device))
      set.push_back(device);
  auto [number, isNew] = sets.add(set);
  if (isNew)
    problem.sets.emplace_back(set.begin(), set.end());
  return number;
}

static ProblemNodeKind getKind(const PlacementNode &node) {
  if (!node.op)
    return ProblemNodeKind::Carried;
  if (node.isCopy)
    return ProblemNodeKind::Copy;
  return node.isTimed ? ProblemNodeKind::Timed : ProblemNodeKind::Host;
}

void ProblemBuilder::addNode(NodeIndex index) {
  const PlacementNode &node = graph.nodes[index];
  problem.nodes.push_back({getKind(node), node.block, addTimes(index),
                           addAllowed(index), node.open, node.canReplicate,
                           node.mayRepeat, isRepeatableByCost(graph, index),
                           /*group=*/-1});
  if (auto it = graph.copySources.find(index); it != graph.copySources.end())
    problem.copies.push_back({index, it->second});
}

void ProblemBuilder::addGroups() {
  for (auto [number, group] : llvm::enumerate(graph.groups))
    for (NodeIndex node : group.members)
      problem.nodes[node].group = number;
}

void ProblemBuilder::addValues() {
  for (const PlacementValue &value : graph.values) {
    bool isGiven = value.producer == kNone;
    problem.values.push_back({isGiven ? -1 : int64_t(value.producer),
                              isGiven ? value.device : Topology::kHost,
                              value.block, addSize(value.bytes)});
  }
  for (const PlacementRead &read : graph.reads)
    problem.reads.push_back({read.node, read.value, read.block});
  for (const FixedUse &use : graph.fixedUses)
    problem.uses.push_back({use.value, use.device, use.block, use.at});
  for (const PartialRead &part : graph.partialReads)
    problem.parts.push_back(
        {part.value, addSize(part.bytes), part.block, part.at});
}

PlacementProblem ProblemBuilder::run() {
  addMachine();
  addBlocks();
  problem.nodes.reserve(graph.nodes.size());
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    addNode(node);
  addGroups();
  addValues();
  return std::move(problem);
}

PlacementProblem mlir::hetero::buildProblem(const PlacementGraph &graph) {
  return ProblemBuilder(graph).run();
}

PlacementProblem
mlir::hetero::buildUnlimitedProblem(const PlacementGraph &graph) {
  PlacementProblem problem = buildProblem(graph);
  problem.capacities.assign(problem.getNumDevices(),
                            PlacementProblem::kUnlimited);
  problem.memory.values.resize(problem.values.size());
  return problem;
}

PlacementAssignment
mlir::hetero::buildAssignment(const Assignment &assignment) {
  PlacementAssignment numbers;
  size_t numNodes = assignment.getGraph().nodes.size();
  for (NodeIndex node = 0; node < numNodes; ++node) {
    numbers.devices.push_back(assignment.getDevice(node));
    numbers.isReplicated.push_back(assignment.isReplicated(node));
  }
  return numbers;
}

void mlir::hetero::assignNumbers(const PlacementAssignment &numbers,
                                 Assignment &assignment) {
  for (auto [node, device] : llvm::enumerate(numbers.devices)) {
    assignment.setDevice(node, device);
    assignment.setReplicated(node, numbers.isReplicated[node]);
  }
}

SmallVector<Assignment, 0>
mlir::hetero::searchPlacements(const PlacementProblem &problem,
                               ArrayRef<Assignment> starts, SearchGoal goal,
                               SearchEffort effort) {
  std::vector<PlacementAssignment> numbers;
  for (const Assignment &start : starts) {
    numbers.push_back(buildAssignment(start));
    if (numbers.back().isReplicated != numbers.front().isReplicated)
      numbers.pop_back();
  }
  SmallVector<Assignment, 0> found;
  for (const FittingAssignment &fitting :
       findFitting(problem, numbers, goal, effort)) {
    found.push_back(starts.front());
    assignNumbers(fitting.assignment, found.back());
  }
  return found;
}
