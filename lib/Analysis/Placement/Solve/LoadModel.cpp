//===- LoadModel.cpp - A graph as a division of work ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadModel.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::hetero;

LoadModel::LoadModel(const Assignment &assignment)
    : fixed(assignment), graph(assignment.getGraph()), topology(graph.topology),
      items(graph.nodes.size(), kNoItem), consumers(graph.nodes.size()) {
  addMachine();
  addItems();
  addConsumers();
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    addReplica(node);
  for (ValueIndex value = 0; value < graph.values.size(); ++value)
    if (!fixed.isValueReplicated(value))
      addValue(value);
}

void LoadModel::addMachine() {
  unsigned numDevices = topology.size();
  problem.numDevices = numDevices;
  SmallVector<unsigned> linkOf(numDevices * numDevices);
  auto forEachPair = [&](auto visit) {
    for (DeviceIndex from = 0; from < numDevices; ++from)
      for (DeviceIndex to = 0; to < numDevices; ++to)
        if (from != to && topology.isReachable(from, to))
          visit(from, to);
  };
  forEachPair([&](DeviceIndex from, DeviceIndex to) {
    if (!topology.getStops(from, to).empty())
      return;
    linkOf[from * numDevices + to] = problem.links.size();
    problem.links.push_back({from, to});
  });
  problem.routes.resize(numDevices * numDevices);
  forEachPair([&](DeviceIndex from, DeviceIndex to) {
    auto &route = problem.routes[from * numDevices + to];
    SmallVector<DeviceIndex> stops = topology.getStops(from, to);
    stops.push_back(to);
    DeviceIndex last = from;
    for (DeviceIndex stop : stops)
      route.push_back(linkOf[std::exchange(last, stop) * numDevices + stop]);
  });
  for (DeviceIndex device = 0; device < numDevices; ++device)
    problem.overlaps.push_back(topology.overlapsCopies(device));
}

void LoadModel::addItems() {
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    const PlacementNode &n = graph.nodes[node];
    DeviceIndex home = fixed.getDevice(node);
    if (fixed.isReplicated(node) || (!n.open && home == kNone))
      continue;
    items[node] = nodes.size();
    nodes.push_back(node);
    for (DeviceIndex device = 0; device < topology.size(); ++device) {
      bool isPossible = n.open ? graph.isAllowed(node, device) : home == device;
      bool takesTime = n.isTimed && n.op;
      problem.times.push_back(!isPossible ? kNoTime
                              : takesTime ? graph.getTime(node, device)
                                          : 0);
    }
  }
  for (DeviceIndex item = 0; item < topology.size(); ++item)
    for (DeviceIndex device = 0; device < topology.size(); ++device)
      problem.times.push_back(item == device ? 0 : kNoTime);
}

/// The items that need a node's results where they are: of what is replicated,
/// those that read it or what is made of it.
ArrayRef<unsigned> LoadModel::getReaders(NodeIndex node) const {
  if (fixed.isReplicated(node))
    return consumers[node];
  return items[node] == kNoItem ? ArrayRef<unsigned>() : items[node];
}

static void makeUnique(SmallVectorImpl<unsigned> &items) {
  llvm::sort(items);
  items.erase(llvm::unique(items), items.end());
}

/// What is replicated stands before what reads it.
void LoadModel::addConsumers() {
  for (NodeIndex node = graph.nodes.size(); node-- != 0;) {
    if (!fixed.isReplicated(node))
      continue;
    Items &readers = consumers[node];
    for (ValueIndex value : graph.resultsOfNode.get(node)) {
      for (unsigned read : graph.readsOfValue.get(value))
        llvm::append_range(readers, getReaders(graph.reads[read].node));
      for (unsigned use : graph.fixedUsesOfValue.get(value))
        readers.push_back(getDeviceItem(graph.fixedUses[use].device));
      if (!graph.partialReadsOfValue.get(value).empty())
        readers.push_back(getDeviceItem(Topology::kHost));
    }
    makeUnique(readers);
  }
}

void LoadModel::addReplica(NodeIndex node) {
  if (!fixed.isReplicated(node) || consumers[node].empty())
    return;
  LoadNet net;
  net.readers = consumers[node];
  net.costs = problem.costs.size();
  bool takesTime = false;
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    // Where it cannot be made nothing may need it, and nothing does.
    int64_t time = graph.getTime(node, device);
    problem.costs.push_back(time == kNever ? 0 : time);
    takesTime |= problem.costs.back() != 0;
  }
  if (!takesTime) {
    problem.costs.resize(net.costs);
    return;
  }
  problem.nets.push_back(std::move(net));
  carried.push_back({kNone, 0});
}

unsigned LoadModel::addCosts(int64_t bytes, BlockIndex block) {
  auto [it, isNew] =
      knownCosts.try_emplace({bytes, block}, problem.costs.size());
  if (isNew)
    for (auto [from, to] : problem.links)
      problem.costs.push_back(
          graph.tree.scale(topology.getTransferTime(from, to, bytes), block));
  return it->second;
}

void LoadModel::addNet(ValueIndex value, BlockIndex block, int64_t bytes,
                       Items readers, bool isOptional) {
  NodeIndex node = graph.values[value].producer;
  LoadNet net;
  net.producer =
      node == kNone ? getDeviceItem(graph.values[value].device) : items[node];
  if (net.producer == kNoItem)
    return;
  llvm::erase(readers, net.producer);
  makeUnique(readers);
  if (readers.empty())
    return;
  net.readers = std::move(readers);
  net.costs = addCosts(bytes, block);
  net.isOptional = isOptional;
  problem.nets.push_back(std::move(net));
  carried.push_back({value, block});
}

void LoadModel::addValue(ValueIndex index) {
  const PlacementValue &value = graph.values[index];
  // Any time tells the cheapest block: it is the one that runs the least often.
  constexpr int64_t kSomeTime = 1 << 20;
  llvm::SmallMapVector<BlockIndex, Items, 2> readers;
  auto at = [&](BlockIndex use) -> Items & {
    return readers[findCheapestBlock(graph.tree, value.block, use, kSomeTime)];
  };
  for (unsigned read : graph.readsOfValue.get(index))
    llvm::append_range(at(graph.reads[read].block),
                       getReaders(graph.reads[read].node));
  for (unsigned use : graph.fixedUsesOfValue.get(index))
    at(graph.fixedUses[use].block)
        .push_back(getDeviceItem(graph.fixedUses[use].device));
  for (auto &[block, ends] : readers)
    addNet(index, block, value.bytes, std::move(ends), /*isOptional=*/false);
  for (unsigned read : graph.partialReadsOfValue.get(index))
    addNet(index, graph.partialReads[read].block,
           graph.partialReads[read].bytes, {getDeviceItem(Topology::kHost)},
           /*isOptional=*/true);
}

Assignment LoadModel::getAssignment(const LoadSolution &solution) const {
  Assignment assignment = fixed;
  for (auto [item, node] : llvm::enumerate(nodes))
    assignment.setDevice(node, solution[item]);
  return assignment;
}
