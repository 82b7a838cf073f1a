//===- DeviceProblem.cpp - Which nodes one device should run --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The network is one side of PairProblem's: a variable per node, a tree of
// variables per value that say in which blocks the value is there, and an arc
// for each copy site. Costs are kept apart from the binary problem, since they
// change from one solution to the next.
//
//===----------------------------------------------------------------------===//

#include "DeviceProblem.h"

#include <cmath>

using namespace mlir;
using namespace mlir::hetero;

/// The solver is exact as long as all costs together are less than this.
static constexpr double kMaxSum = double(int64_t(1) << 56);

DeviceProblem::DeviceProblem(const Assignment &assignment, DeviceIndex device,
                             ArrayRef<uint8_t> isChoice, int64_t limit)
    : assignment(assignment), graph(assignment.getGraph()), device(device),
      limit(limit) {
  addNodes(isChoice);
  for (ValueIndex value = 0; value < graph.values.size(); ++value)
    if (assignment.isValueReplicated(value))
      addReplicas(value);
    else
      addValue(value, isChoice);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

DeviceProblem::Variable DeviceProblem::addVariable(int64_t cost) {
  costs.push_back(cost == kNever ? BinaryProblem::kInfinite
                                 : std::min(cost, limit));
  return costs.size() - 1;
}

/// What a replicable node costs at least where it is needed here: it is made,
/// or arrives from where that is cheapest.
int64_t DeviceProblem::getReplicaCost(NodeIndex node) const {
  int64_t least = graph.getTime(node, device);
  for (ValueIndex value : graph.resultsOfNode.get(node)) {
    if (!graph.partialReadsOfValue.get(value).empty())
      return 0;
    SmallVector<BlockIndex> blocks;
    for (unsigned read : graph.readsOfValue.get(value)) {
      // What is made from it may arrive instead.
      if (assignment.isReplicated(graph.reads[read].node))
        return 0;
      blocks.push_back(graph.reads[read].block);
    }
    for (unsigned use : graph.fixedUsesOfValue.get(value))
      blocks.push_back(graph.fixedUses[use].block);
    for (const CopyStop &stop :
         collectCopyStops(graph.tree, graph.values[value].block, blocks))
      for (DeviceIndex from = 0; from < graph.topology.size(); ++from)
        if (from != device)
          least = std::min(least, graph.tree.scale(graph.getTransferTime(
                                                       value, from, device),
                                                   stop.block));
  }
  return least;
}

void DeviceProblem::addNodes(ArrayRef<uint8_t> isChoice) {
  variables.assign(graph.nodes.size(), kAbsent);
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    bool isReplicated = assignment.isReplicated(index);
    int64_t time = graph.getTime(index, device);
    if (isReplicated) {
      if (time == 0 && graph.readsOfNode.get(index).empty())
        continue;
      time = getReplicaCost(index);
    } else if (!isChoice[index]) {
      if (assignment.getDevice(index) != device)
        continue;
      variables[index] = kPresent;
      if (graph.nodes[index].isTimed)
        constant = addTimes(constant, std::min(time, limit));
      continue;
    } else if (!graph.isAllowed(index, device)) {
      continue;
    }
    variables[index] = addVariable(time);
    nodeOfVariable.push_back(isReplicated ? kNone : index);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void DeviceProblem::addForced(Variable tail, Variable head) {
  if (tail != kPresent && head != kAbsent && tail != head)
    forced.push_back({tail, head});
}

/// Pays the price of the last arrival.
void DeviceProblem::addPriced(Variable tail, Variable head, BlockIndex block) {
  if (tail != kPresent && head != kAbsent && tail != head)
    priced.push_back({{tail, head}, unsigned(arrivals.size() - 1), block});
}

void DeviceProblem::collectUses(ValueIndex value) {
  uses.clear();
  for (unsigned index : graph.readsOfValue.get(value)) {
    const PlacementRead &read = graph.reads[index];
    if (Variable variable = variables[read.node]; variable != kAbsent)
      uses.push_back({read.block, variable});
  }
  for (unsigned index : graph.fixedUsesOfValue.get(value)) {
    const FixedUse &use = graph.fixedUses[index];
    if (use.device == device)
      uses.push_back({use.block, kPresent});
  }
}

/// A replica is made here as soon as one use is here.
void DeviceProblem::addReplicas(ValueIndex value) {
  Variable replica = variables[graph.values[value].producer];
  if (replica == kAbsent)
    return;
  collectUses(value);
  for (const Use &use : uses)
    addForced(replica, use.variable);
  if (device == Topology::kHost &&
      !graph.partialReadsOfValue.get(value).empty())
    addForced(replica, kPresent);
}

/// The other devices that the value may be on.
void DeviceProblem::collectSources(ValueIndex value,
                                   ArrayRef<uint8_t> isChoice) {
  sources.clear();
  NodeIndex producer = graph.values[value].producer;
  if (producer == kNone || !isChoice[producer])
    return sources.push_back(assignment.getValueDevice(value));
  for (DeviceIndex from = 0; from < graph.topology.size(); ++from)
    if (from != device && graph.isAllowed(producer, from))
      sources.push_back(from);
}

/// False if the value cannot come from anywhere.
bool DeviceProblem::addArrival(ValueIndex value) {
  if (sources.empty())
    return false;
  int64_t low = BinaryProblem::kInfinite, high = 0;
  for (DeviceIndex from : sources) {
    int64_t time = graph.getTransferTime(value, from, device);
    if (time == BinaryProblem::kInfinite)
      continue;
    low = std::min({low, time, limit});
    high = std::max(high, std::min(time, limit));
  }
  arrivals.push_back({value, low, std::max(low, high), low});
  return true;
}

/// Of an element read, from where it is cheapest.
OptionalUse DeviceProblem::getOptionalUse(const PartialRead &read) const {
  OptionalUse best = {read.block, limit};
  for (DeviceIndex from : sources)
    best.time = std::min(best.time, graph.getOptionalUse(read, from).time);
  return best;
}

void DeviceProblem::addValue(ValueIndex value, ArrayRef<uint8_t> isChoice) {
  const PlacementValue &v = graph.values[value];
  Variable origin = v.producer == kNone ? kAbsent : variables[v.producer];
  if (origin == kPresent || (v.producer == kNone && v.device == device))
    return;
  collectUses(value);
  ArrayRef<unsigned> partial;
  if (device == Topology::kHost)
    partial = graph.partialReadsOfValue.get(value);
  if (uses.empty() && partial.empty())
    return;
  collectSources(value, isChoice);
  if (!addArrival(value))
    return;
  optional.clear();
  for (unsigned read : partial)
    optional.push_back(getOptionalUse(graph.partialReads[read]));
  if (optional.empty() && llvm::all_of(uses, [&](const Use &use) {
        return graph.tree.runsOftener(use.block, v.block);
      }))
    return addFlat(value, origin);
  addTree(value, origin);
}

/// All uses are served at the least cost where the value is defined.
void DeviceProblem::addFlat(ValueIndex value, Variable origin) {
  BlockIndex block = graph.values[value].block;
  if (uses.size() == 1)
    return addPriced(origin, uses[0].variable, block);
  bool isKnown = llvm::any_of(
      uses, [](const Use &use) { return use.variable == kPresent; });
  Variable presence = isKnown ? kPresent : addVariable(0);
  addPriced(origin, presence, block);
  for (const Use &use : uses)
    addForced(presence, use.variable);
}

/// One variable per block on the way, unless a use in it is known.
void DeviceProblem::addTree(ValueIndex value, Variable origin) {
  SmallVector<BlockIndex, 8> blocks;
  llvm::SmallDenseMap<BlockIndex, Variable, 8> presences;
  for (const Use &use : uses) {
    blocks.push_back(use.block);
    if (use.variable == kPresent)
      presences[use.block] = kPresent;
  }
  SmallVector<CopyStop> stops =
      collectCopyStops(graph.tree, graph.values[value].block, blocks, optional);
  for (auto [index, stop] : llvm::enumerate(stops)) {
    auto [it, isNew] = presences.try_emplace(stop.block, 0);
    if (isNew)
      it->second = addVariable(0);
    Variable around =
        index == 0 ? origin : presences.lookup(stops[stop.parent].block);
    addPriced(around, presences.lookup(stop.block), stop.block);
  }
  for (const Use &use : uses)
    addForced(presences.lookup(use.block), use.variable);
  for (OptionalUse use : optional) {
    Variable isServed = addVariable(0);
    addForced(presences.lookup(use.block), isServed);
    fixed.push_back({{isServed, kPresent}, use.time});
  }
}

//===----------------------------------------------------------------------===//
// Solution
//===----------------------------------------------------------------------===//

/// Rounded down, where the price of a placement rounds up.
int64_t DeviceProblem::getCost(const PricedArc &arc) const {
  int64_t price = arrivals[arc.arrival].price;
  double frequency = graph.tree.getFrequency(arc.block);
  if (price == BinaryProblem::kInfinite || frequency == 1.0)
    return price;
  long double cost = static_cast<long double>(price) * frequency;
  return cost >= static_cast<long double>(limit) ? limit
                                                 : static_cast<int64_t>(cost);
}

bool DeviceProblem::fits(ArrayRef<int64_t> rewards) const {
  double sum = double(constant);
  auto add = [&](int64_t cost) {
    sum += cost == BinaryProblem::kInfinite ? 0 : std::abs(double(cost));
  };
  for (int64_t cost : costs)
    add(cost);
  for (NodeIndex node : nodeOfVariable)
    add(node == kNone ? 0 : rewards[node]);
  for (const PricedArc &arc : priced)
    add(getCost(arc));
  for (const FixedArc &arc : fixed)
    add(arc.cost);
  return sum < kMaxSum;
}

BinaryProblem DeviceProblem::getProblem(ArrayRef<int64_t> rewards) const {
  BinaryProblem problem;
  for (auto [variable, cost] : llvm::enumerate(costs)) {
    problem.addVariable();
    NodeIndex node =
        variable < nodeOfVariable.size() ? nodeOfVariable[variable] : kNone;
    int64_t net = node == kNone ? cost : cost - rewards[node];
    problem.addCost(variable, std::max<int64_t>(-net, 0),
                    std::max<int64_t>(net, 0));
  }
  auto add = [&](Arc arc, int64_t cost) {
    if (arc.tail == kAbsent && arc.head != kPresent)
      problem.addCost(arc.head, 0, cost);
    else if (arc.tail != kAbsent && arc.head == kPresent)
      problem.addCost(arc.tail, cost, 0);
    else if (arc.tail != kAbsent)
      problem.addArc(arc.tail, arc.head, cost);
  };
  for (const Arc &arc : forced)
    add(arc, BinaryProblem::kInfinite);
  for (const PricedArc &arc : priced)
    add(arc, getCost(arc));
  for (const FixedArc &arc : fixed)
    add(arc, arc.cost);
  return problem;
}

/// The cost of the solution; counts its arrivals.
int64_t DeviceProblem::evaluate(ArrayRef<int64_t> rewards) {
  int64_t sum = constant;
  for (Arrival &arrival : arrivals)
    arrival.count = 0;
  for (auto [variable, cost] : llvm::enumerate(costs)) {
    if (!solution[variable])
      continue;
    sum = addTimes(sum, cost);
    if (variable < nodeOfVariable.size() && nodeOfVariable[variable] != kNone)
      sum -= rewards[nodeOfVariable[variable]];
  }
  for (const PricedArc &arc : priced) {
    if (!isPaid(arc))
      continue;
    sum = addTimes(sum, getCost(arc));
    arrivals[arc.arrival].count += graph.tree.getFrequency(arc.block);
  }
  for (const FixedArc &arc : fixed)
    if (isPaid(arc))
      sum = addTimes(sum, arc.cost);
  return sum;
}

std::optional<int64_t> DeviceProblem::solve(ArrayRef<int64_t> rewards,
                                            int64_t workLimit) {
  if (!fits(rewards))
    return std::nullopt;
  BinaryProblem problem = getProblem(rewards);
  solution = problem.solve(workLimit);
  return evaluate(rewards) - problem.getGap();
}
