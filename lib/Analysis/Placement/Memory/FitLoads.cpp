//===- FitLoads.cpp - Throughput within the memory of devices -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitLoads.h"

#include "Analysis/Placement/Graph/MergedGroups.h"
#include "Analysis/Placement/Price/MachineLoads.h"
#include "Analysis/Placement/Solve/PlaceForThroughput.h"
#include "MemoryLimit.h"
#include "MemoryUse.h"

using namespace mlir;
using namespace mlir::hetero;

/// Nodes that all looks at single moves may go over.
static constexpr size_t kFitWork = 4'000'000;

namespace {
class FittingSearch {
public:
  explicit FittingSearch(const Assignment &start)
      : start(start), graph(start.getGraph()), merged(graph), memory(graph),
        numLooks(kFitWork / (graph.nodes.size() + 1) + 1) {}

  /// Nothing if nothing that was looked at fits.
  std::optional<Assignment> run(const Assignment &leastSum);

private:
  bool offer(const Assignment &placement);
  void offerAll();
  bool improve();

  const Assignment &start;
  const PlacementGraph &graph;
  MergedGroups merged;
  MemoryModel memory;
  size_t numLooks;
  std::optional<Assignment> best;
  std::pair<int64_t, int64_t> bestCost;
};
} // namespace

/// Keeps a placement, groups being one node, if it fits and is better.
bool FittingSearch::offer(const Assignment &placement) {
  Assignment whole = merged.spread(placement);
  PlacementPrice price = computeLoads(whole);
  std::pair cost(getLargest(price.loads), price.cost);
  if ((best && cost >= bestCost) || MemoryUse(memory, whole).getExcess() != 0)
    return false;
  best = merged.merge(std::move(whole));
  bestCost = cost;
  return true;
}

void FittingSearch::offerAll() {
  Assignment open = merged.merge(start);
  LoadModel model(open);
  forEachPlacement(model, [&](const LoadSolution &solution) {
    offer(model.getAssignment(solution));
  });
}

/// Makes the first move of one node that is better and still fits.
bool FittingSearch::improve() {
  Assignment current = *best;
  const PlacementGraph &nodes = current.getGraph();
  for (NodeIndex node = 0; node < nodes.nodes.size(); ++node) {
    DeviceIndex home = current.getDevice(node);
    if (!nodes.nodes[node].open || current.isReplicated(node))
      continue;
    for (DeviceIndex device = 0; device < nodes.topology.size(); ++device) {
      if (device == home || !nodes.isAllowed(node, device))
        continue;
      if (numLooks-- == 1)
        return false;
      current.setDevice(node, device);
      if (offer(current))
        return true;
      current.setDevice(node, home);
    }
  }
  return false;
}

std::optional<Assignment> FittingSearch::run(const Assignment &leastSum) {
  Assignment open = merged.merge(start);
  if (hasFewPlacements(LoadModel(open))) {
    offerAll();
  } else {
    offer(makeOnce(open, merged.merge(leastSum)));
    for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
      offer(placeOnOne(open, device));
    while (best && improve())
      ;
  }
  if (best)
    best = merged.spread(std::move(*best));
  return std::move(best);
}

LogicalResult mlir::hetero::fitLoads(PlacementSolution &solution,
                                     int64_t workLimit) {
  Assignment start = solution.assignment;
  if (failed(fitMemory(solution, /*mayMove=*/true, workLimit,
                       /*mayStream=*/false)))
    return failure();
  if (solution.shortages.empty())
    return success();
  if (std::optional<Assignment> best =
          FittingSearch(start).run(solution.assignment))
    solution.assignment = std::move(*best);
  return success();
}
