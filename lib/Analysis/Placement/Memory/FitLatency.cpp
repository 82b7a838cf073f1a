//===- FitLatency.cpp - Latency within the memory of devices --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitLatency.h"

#include "Analysis/Placement/Solve/BuildProblem.h"
#include "Analysis/Placement/Solve/Latency/PlaceForLatency.h"
#include "BuildMemory.h"
#include "MemoryLimit.h"
#include "MemoryUse.h"

using namespace mlir;
using namespace mlir::hetero;

/// What a device has for constants: its memory, less what a placement that fits
/// has there beside them on any device.
static SmallVector<int64_t> getBudgets(const MemoryUse &use,
                                       ArrayRef<int64_t> weights) {
  const Topology &topology = use.getAssignment().getGraph().topology;
  int64_t others = 0;
  for (DeviceIndex device = 0; device < topology.size(); ++device)
    if (topology.getCapacity(device))
      others = std::max(others, use.getPeak(device).bytes - weights[device]);
  SmallVector<int64_t> budgets;
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    std::optional<int64_t> capacity = topology.getCapacity(device);
    budgets.push_back(capacity ? std::max(*capacity - others, weights[device])
                               : INT64_MAX);
  }
  return budgets;
}

LogicalResult mlir::hetero::fitLatency(PlacementSolution &solution,
                                       int64_t workLimit) {
  Assignment start = solution.assignment;
  if (failed(fitMemory(solution, /*mayMove=*/true, /*mayStream=*/false)))
    return failure();
  if (solution.shortages.empty())
    return success();
  MergedGroups merged(start.getGraph());
  MemoryModel memory(start.getGraph());
  MemoryUse use(memory, solution.assignment);
  LatencyLimits limits{
      [&](const Assignment &placement) {
        return MemoryUse(memory, placement).getExcess() == 0;
      },
      [&](ArrayRef<int64_t> weights) { return getBudgets(use, weights); },
      {solution.assignment}};
  PlacementProblem problem = buildLimitedProblem(memory);
  for (SearchGoal goal : {SearchGoal::Sum, SearchGoal::LargestLoad})
    llvm::append_range(limits.known,
                       searchPlacements(problem, {start, solution.assignment},
                                        goal, SearchEffort::Moves));
  if (std::optional<Assignment> best =
          placeForLatency(start, merged, workLimit, &limits))
    solution.assignment = std::move(*best);
  return success();
}
