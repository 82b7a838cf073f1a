//===- ComputePlacement.cpp - The decisions and price of a module ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes of a decided graph what those that change IR need of it.
//
//===----------------------------------------------------------------------===//

#include "Colocation.h"
#include "MemoryUse.h"

using namespace mlir;
using namespace mlir::hetero;

/// The devices of what operations hand on, for each operation that hands
/// something on.
static SmallVector<CarriedDevices, 0>
getCarriedDevices(const PlacementGraph &graph) {
  auto appendDevices = [&](ArrayRef<NodeIndex> nodes, auto &devices) {
    for (NodeIndex node : nodes)
      devices.push_back(graph.topology.getDevice(
          node == kNone ? Topology::kHost : graph.nodes[node].device));
  };
  SmallVector<CarriedDevices, 0> result;
  result.reserve(graph.carried.size());
  for (const CarriedValues &carried : graph.carried) {
    CarriedDevices &devices = result.emplace_back();
    devices.op = carried.op;
    appendDevices(carried.results, devices.results);
    appendDevices(carried.inits, devices.inits);
    for (ArrayRef<NodeIndex> block : carried.blocks)
      appendDevices(block, devices.blocks.emplace_back());
  }
  return result;
}

/// The memory that the placement needs.
static void addMemory(const PlacementGraph &graph, PlacementPrice &price) {
  const Topology &topology = graph.topology;
  MemoryModel model(graph);
  MemoryUse use(model);
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    price.devices[device].memory = use.getPeak(device).bytes;
    if (topology.getCapacity(device))
      price.memory = MemoryLimit::Idle;
  }
  if (!graph.shortages.empty())
    price.memory = MemoryLimit::Binding;
}

/// What cost repeats may stand on one device as well.
static void reopenRepeated(PlacementGraph &graph) {
  for (PlacementNode &node : graph.nodes)
    node.replicable &= !node.open;
}

/// The price, and what no other can be below. What is repeated by cost is open
/// afterwards.
static PlacementPrice getBoundedPrice(PlacementGraph &graph,
                                      int64_t workLimit) {
  PlacementPrice price = computePrice(graph);
  addMemory(graph, price);
  reopenRepeated(graph);
  MergedGroups merged(graph);
  price.lowerBound = graph.gap
                         ? std::max<int64_t>(price.cost - *graph.gap, 0)
                         : computeLowerBound(graph, price.cost, workLimit);
  price.isOptimal = price.cost == price.lowerBound &&
                    llvm::none_of(graph.nodes, [](const PlacementNode &node) {
                      return node.reason == PlacementReason::Kept;
                    });
  return price;
}

/// True if the memory of some device may be short: what is searched then
/// depends on the times of all operations.
static bool hasCapacity(const Topology &topology) {
  for (DeviceIndex device = 0; device < topology.size(); ++device)
    if (topology.getCapacity(device))
      return true;
  return false;
}

FailureOr<Placement>
mlir::hetero::computePlacement(ModuleOp module, const Topology &topology,
                               const BlockTree &tree,
                               const PlacementOptions &options) {
  PlacementGraph graph =
      buildPlacementGraph(module, topology, tree, options.profile,
                          options.wantsPrice || hasCapacity(topology));
  if (failed(decidePlacement(module, graph, options)))
    return failure();
  Placement placement;
  placement.decisions.reserve(graph.nodes.size());
  placement.carried = getCarriedDevices(graph);
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    if (!node.op)
      continue;
    DeviceAttr device = topology.getDevice(node.device);
    if (node.spec && node.spec != node.spec.getBare())
      device = device.meet(node.spec);
    placement.decisions.push_back({node.op, device, node.origin, node.reason,
                                   graph.wanted.lookup(index)});
  }
  inferUnits(placement.decisions);
  placement.shortages = graph.shortages;
  if (options.wantsPrice)
    placement.price = getBoundedPrice(graph, options.workLimit);
  return placement;
}
