//===- PlacementPrice.cpp - What a placement costs ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sum of compute and transfer times of decided nodes. A value is copied
// once per destination and site; what is replicable is made on each device that
// needs it.
//
//===----------------------------------------------------------------------===//

#include "PlacementPrice.h"

#include "Replicas.h"

using namespace mlir;
using namespace mlir::hetero;

StringRef mlir::hetero::getObjectiveName(PlacementObjective objective) {
  switch (objective) {
  case PlacementObjective::Sum:
    return "sum";
  case PlacementObjective::Latency:
    return "latency";
  case PlacementObjective::Throughput:
    return "throughput";
  }
  llvm_unreachable("all objectives are handled");
}

namespace {
/// Adds up one price.
class Pricer {
public:
  Pricer(const Assignment &assignment,
         llvm::function_ref<void(const PricedCopy &)> visit)
      : assignment(assignment), graph(assignment.getGraph()),
        topology(graph.topology), replicas(countReplicas(assignment)),
        visit(visit) {
    price.devices.resize(topology.size());
    uses.resize(topology.size());
  }

  PlacementPrice run();

private:
  void addNode(NodeIndex node, DeviceIndex device);
  void addCopies(ValueIndex value, DeviceIndex from, DeviceIndex to);
  void addCopy(const PricedCopy &copy);
  void addUse(DeviceIndex device, BlockIndex block);
  void collectUses(ValueIndex value);

  const Assignment &assignment;
  const PlacementGraph &graph;
  const Topology &topology;
  ReplicaCounts replicas;
  llvm::function_ref<void(const PricedCopy &)> visit;
  PlacementPrice price;
  /// Of one value, by device, and the devices that have some, by number.
  SmallVector<SmallVector<BlockIndex, 4>, 4> uses;
  SmallVector<DeviceIndex, 4> needed;
  SmallVector<OptionalUse, 4> optional;
};
} // namespace

void Pricer::addNode(NodeIndex node, DeviceIndex device) {
  DeviceLoad &load = price.devices[device];
  int64_t time = graph.getTime(node, device);
  ++load.ops;
  load.time = addTimes(load.time, time);
  price.cost = addTimes(price.cost, time);
}

void Pricer::addCopy(const PricedCopy &copy) {
  bool isUnified = topology.isUnified(copy.from, copy.to);
  LinkTraffic &link = price.links[{copy.from, copy.to}];
  ++price.copies;
  ++link.copies;
  link.bytes = addTimes(link.bytes, isUnified ? 0 : copy.bytes);
  link.time = addTimes(link.time, copy.time);
  price.cost = addTimes(price.cost, copy.time);
  visit(copy);
}

void Pricer::addUse(DeviceIndex device, BlockIndex block) {
  if (device == kNone)
    return;
  if (uses[device].empty())
    needed.push_back(device);
  uses[device].push_back(block);
}

/// The blocks that need the value, by device.
void Pricer::collectUses(ValueIndex value) {
  for (DeviceIndex device : needed)
    uses[device].clear();
  needed.clear();
  for (unsigned index : graph.readsOfValue.get(value)) {
    const PlacementRead &read = graph.reads[index];
    if (!assignment.isReplicated(read.node)) {
      addUse(assignment.getDevice(read.node), read.block);
      continue;
    }
    for (const ReplicaCounts::Entry &entry : replicas.get(read.node))
      if (entry.count != 0)
        addUse(entry.device, read.block);
  }
  for (unsigned use : graph.fixedUsesOfValue.get(value))
    addUse(graph.fixedUses[use].device, graph.fixedUses[use].block);
  // What only elements are read of is copied without a use.
  if (!graph.partialReadsOfValue.get(value).empty() &&
      uses[Topology::kHost].empty())
    needed.push_back(Topology::kHost);
  llvm::sort(needed);
}

void Pricer::addCopies(ValueIndex value, DeviceIndex from, DeviceIndex to) {
  const PlacementValue &v = graph.values[value];
  int64_t time = graph.getTransferTime(value, from, to);
  optional.clear();
  if (to == Topology::kHost)
    for (unsigned read : graph.partialReadsOfValue.get(value))
      optional.push_back(graph.getOptionalUse(graph.partialReads[read], from));
  CopySites sites =
      chooseCopySites(graph.tree, v.block, uses[to], time, optional);
  for (BlockIndex site : sites.blocks)
    addCopy({value, from, to, site, v.bytes, graph.tree.scale(time, site)});
  if (optional.empty())
    return;
  for (auto [index, read] :
       llvm::enumerate(graph.partialReadsOfValue.get(value)))
    if (!isServed(graph.tree, sites, optional[index].block))
      addCopy({value, from, to, optional[index].block,
               graph.partialReads[read].bytes, optional[index].time, true,
               read});
}

PlacementPrice Pricer::run() {
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    // What is carried takes no time.
    if (!graph.nodes[node].isTimed || !graph.nodes[node].op)
      continue;
    if (!assignment.isReplicated(node)) {
      addNode(node, assignment.getDevice(node));
      continue;
    }
    for (const ReplicaCounts::Entry &entry : replicas.get(node))
      if (entry.count != 0)
        addNode(node, entry.device);
  }
  for (ValueIndex value = 0; value < graph.values.size(); ++value) {
    if (assignment.isValueReplicated(value))
      continue;
    collectUses(value);
    DeviceIndex from = assignment.getValueDevice(value);
    for (DeviceIndex to : needed)
      if (to != from)
        addCopies(value, from, to);
  }
  return std::move(price);
}

PlacementPrice
mlir::hetero::computePrice(const Assignment &assignment,
                           llvm::function_ref<void(const PricedCopy &)> visit) {
  return Pricer(assignment, visit).run();
}

PlacementPrice
mlir::hetero::computePrice(const PlacementSolution &solution,
                           llvm::function_ref<void(const PricedCopy &)> visit) {
  PlacementPrice price = computePrice(solution.assignment, visit);
  for (const StreamedConstants &stream : solution.streams) {
    LinkTraffic &link = price.links[{stream.from, stream.to}];
    price.copies += stream.reads.size();
    link.copies += stream.reads.size();
    const PlacementGraph &graph = solution.assignment.getGraph();
    for (unsigned read : stream.reads)
      link.bytes =
          addTimes(link.bytes, graph.values[graph.reads[read].value].bytes);
    link.time = addTimes(link.time, stream.time);
    price.cost = addTimes(price.cost, stream.time);
  }
  return price;
}
