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
#include "hetero/Support/Assert.h"

#include "Analysis/Placement/Annotate/InferUnits.h"
#include "Analysis/Placement/Graph/MergedGroups.h"
#include "Analysis/Placement/Memory/MemoryUse.h"
#include "Analysis/Placement/Price/LatencyTasks.h"
#include "Analysis/Placement/Price/MachineLoads.h"
#include "Analysis/Placement/Price/NetworkTraffic.h"
#include "Analysis/Placement/Solve/Latency/LatencyBound.h"
#include "Analysis/Placement/Solve/LowerBound.h"
#include "Analysis/Placement/Solve/PlaceForThroughput.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<PlacementDecision, 0>
mlir::hetero::getDecisions(const Assignment &assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  SmallVector<PlacementDecision, 0> decisions;
  decisions.reserve(graph.nodes.size());
  for (auto [index, node] : llvm::enumerate(graph.nodes)) {
    if (!node.op)
      continue;
    DeviceAttr device = graph.topology.getDevice(assignment.getDevice(index));
    if (node.stated)
      device = node.stated;
    else if (node.spec && node.spec != node.spec.getBare())
      device = device.meet(node.spec);
    decisions.push_back({node.op, device, node.origin, node.reason,
                         graph.wanted.lookup(index)});
  }
  inferUnits(decisions);
  return decisions;
}

llvm::MapVector<Operation *, DeviceAttr>
mlir::hetero::getStateDevices(const Assignment &assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  llvm::MapVector<Operation *, DeviceAttr> result;
  for (NodeIndex node : graph.colocated)
    if (Operation *state = graph.states.lookup(node))
      result[state] = graph.topology.getDevice(assignment.getDevice(node));
  return result;
}

SmallVector<CarriedDevices, 0>
mlir::hetero::getCarriedDevices(const Assignment &assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  auto appendDevices = [&](ArrayRef<NodeIndex> nodes, auto &devices) {
    for (NodeIndex node : nodes)
      devices.push_back(graph.topology.getDevice(
          node == kNone ? Topology::kHost : assignment.getDevice(node)));
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
static void addMemory(const PlacementSolution &solution,
                      const MemoryModel &model, PlacementPrice &price) {
  // What is streamed does not count, but for what each node reads.
  std::optional<MemoryModel> streaming;
  if (!solution.streams.empty())
    streaming.emplace(model.graph, /*streamsConstants=*/true);
  price.streams = solution.streams;
  MemoryUse use(streaming ? *streaming : model, solution.assignment);
  for (DeviceIndex device = 0; device < price.devices.size(); ++device) {
    price.devices[device].memory = use.getPeak(device).bytes;
    if (model.graph.topology.getCapacity(device))
      price.memory = MemoryLimit::Idle;
  }
  if (!solution.shortages.empty())
    price.memory = MemoryLimit::Binding;
}

static int64_t getBound(const PlacementSolution &solution, int64_t cost,
                        int64_t workLimit) {
  if (solution.gap)
    return std::max<int64_t>(cost - *solution.gap, 0);
  MergedGroups merged(solution.assignment.getGraph());
  return computeLowerBound(merged.merge(solution.assignment), cost, workLimit);
}

int64_t mlir::hetero::getLowerBound(const PlacementSolution &solution,
                                    int64_t workLimit) {
  return getBound(solution, computePrice(solution).cost, workLimit);
}

PlacementPrice mlir::hetero::getPlainPrice(
    const PlacementSolution &solution, const MemoryModel &model,
    llvm::function_ref<void(const PricedCopy &)> visit) {
  PlacementPrice price = computePrice(solution, visit);
  addMemory(solution, model, price);
  return price;
}

/// The best of the placements with all that is open on one device, or where it
/// can run if not there, of those that fit.
static std::optional<SingleDeviceCost>
findBestSingleDevice(const Assignment &decided, const MergedGroups &merged,
                     llvm::function_ref<int64_t(const Assignment &)> getCost) {
  const PlacementGraph &graph = decided.getGraph();
  std::optional<MemoryModel> memory;
  if (mayExceedMemory(graph))
    memory.emplace(graph);
  std::optional<SingleDeviceCost> best;
  Assignment together = merged.merge(decided);
  // Where nothing is open it is the same on all of them.
  unsigned numDevices = graph.isDecided() ? 1 : graph.topology.size();
  for (DeviceIndex device = 0; device < numDevices; ++device) {
    Assignment single = merged.spread(placeOnOne(together, device));
    if (memory && MemoryUse(*memory, single).getExcess() != 0)
      continue;
    if (int64_t cost = getCost(single); !best || cost < best->cost)
      best = {device, cost};
  }
  return best;
}

/// The price by the largest load of a device or link.
static PlacementPrice getLoadPrice(const PlacementSolution &solution) {
  PlacementPrice price = computeLoads(solution.assignment);
  MergedGroups merged(solution.assignment.getGraph());
  price.objective = PlacementObjective::Throughput;
  price.cost = getLargest(price.loads);
  price.lowerBound =
      computeLoadBound(merged.merge(solution.assignment), price.cost);
  price.single = findBestSingleDevice(
      solution.assignment, merged, [](const Assignment &single) {
        return getLargest(computeLoads(single).loads);
      });
  return price;
}

/// The price by when the last schedule ends.
static PlacementPrice getLatencyPrice(const PlacementSolution &solution) {
  const Assignment &decided = solution.assignment;
  PlacementPrice price = computeLoads(decided);
  MergedGroups merged(decided.getGraph());
  ProgramSegments segments(decided.getGraph());
  price.objective = PlacementObjective::Latency;
  price.cost = computeLatency(decided, segments);
  price.lowerBound = proveLatency(decided, merged, segments, price.cost).bound;
  price.single =
      findBestSingleDevice(decided, merged, [&](const Assignment &single) {
        return computeLatency(single, segments);
      });
  return price;
}

static PlacementPrice getSumPrice(const PlacementSolution &solution,
                                  int64_t workLimit) {
  PlacementPrice price = computePrice(solution);
  price.lowerBound = getBound(solution, price.cost, workLimit);
  return price;
}

PlacementPrice mlir::hetero::getBoundedPrice(const PlacementSolution &solution,
                                             const PlacementOptions &options) {
  PlacementPrice price = options.objective == PlacementObjective::Throughput
                             ? getLoadPrice(solution)
                         : options.objective == PlacementObjective::Latency
                             ? getLatencyPrice(solution)
                             : getSumPrice(solution, options.workLimit);
  const PlacementGraph &graph = solution.assignment.getGraph();
  addMemory(solution, MemoryModel(graph), price);
  price.network = countNetworkTraffic(solution.assignment);
  HETERO_ASSERT(price.lowerBound <= price.cost,
                "no placement costs less than the lower bound");
  price.isOptimal = price.cost == price.lowerBound &&
                    llvm::none_of(graph.nodes, [](const PlacementNode &node) {
                      return node.reason == PlacementReason::Kept;
                    });
  return price;
}
