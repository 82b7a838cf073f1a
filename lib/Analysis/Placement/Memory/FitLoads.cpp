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
#include "FitCandidates.h"
#include "MemoryLimit.h"
#include "MemoryUse.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
class FittingSearch {
public:
  explicit FittingSearch(const Assignment &start)
      : start(start), graph(start.getGraph()), merged(graph), memory(graph) {}

  /// Nothing if nothing that was looked at fits.
  std::optional<Assignment> run(const Assignment &leastSum);

private:
  bool offer(const Assignment &placement);
  void offerAll();

  const Assignment &start;
  const PlacementGraph &graph;
  MergedGroups merged;
  MemoryModel memory;
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

std::optional<Assignment> FittingSearch::run(const Assignment &leastSum) {
  Assignment open = merged.merge(start);
  if (hasFewPlacements(LoadModel(open))) {
    offerAll();
  } else {
    SmallVector<Assignment, 0> found = findFittingPlacements(
        memory, {start, makeOnce(start, leastSum)}, SearchGoal::LargestLoad);
    if (!found.empty())
      offer(merged.merge(found.front()));
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
