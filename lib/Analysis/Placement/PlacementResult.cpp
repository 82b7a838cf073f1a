//===- PlacementResult.cpp - What a decided graph says --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes of a decided graph what those that change IR, and those that report,
// need of it.
//
//===----------------------------------------------------------------------===//

#include "PlacementResult.h"

#include "Analysis/Placement/Annotate/Colocation.h"
#include "Analysis/Placement/Annotate/InferUnits.h"
#include "Analysis/Placement/Memory/MemoryUse.h"
#include "Analysis/Placement/Price/PlacementPrice.h"
#include "Analysis/Placement/Solve/LowerBound.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<PlacementDecision, 0>
mlir::hetero::getDecisions(const PlacementGraph &graph) {
  SmallVector<PlacementDecision, 0> decisions;
  decisions.reserve(graph.nodes.size());
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    if (!node.op)
      continue;
    DeviceAttr device = graph.topology.getDevice(node.device);
    if (node.spec && node.spec != node.spec.getBare())
      device = device.meet(node.spec);
    decisions.push_back({node.op, device, node.origin, node.reason,
                         graph.wanted.lookup(index)});
  }
  inferUnits(decisions);
  return decisions;
}

SmallVector<CarriedDevices, 0>
mlir::hetero::getCarriedDevices(const PlacementGraph &graph) {
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

PlacementPrice mlir::hetero::getBoundedPrice(PlacementGraph &graph,
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
