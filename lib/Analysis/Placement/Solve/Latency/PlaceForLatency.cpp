//===- PlaceForLatency.cpp - Places for one request -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The starts are all that is open on one device, for each of them, the least
// sum, the least largest load and the greedy placement, to which the search
// adds those of list schedules. It knows time a little less exactly than the
// schedules by which candidates are compared, so it returns several.
//
//===----------------------------------------------------------------------===//

#include "PlaceForLatency.h"

#include "Analysis/Placement/Price/LatencyTasks.h"
#include "Analysis/Placement/Solve/PlaceForThroughput.h"
#include "Analysis/Placement/Solve/PlaceGreedily.h"
#include "Analysis/Placement/Solve/PlaceOptimally.h"
#include "LatencyModel.h"

using namespace mlir;
using namespace mlir::hetero;

/// Most solutions of the search that are scheduled.
static constexpr unsigned kMostFound = 6;
/// Of few placements, how many are scheduled with all effort.
static constexpr unsigned kMostScheduled = 256;
/// Nodes that all looks at single moves may go over.
static constexpr size_t kMoveWork = 400'000;

namespace {
class LatencyPlacer {
public:
  LatencyPlacer(const Assignment &open, const MergedGroups &merged,
                int64_t workLimit, const LatencyLimits *limits)
      : open(open), merged(merged), workLimit(workLimit), limits(limits),
        segments(open.getGraph()) {}

  std::optional<Assignment> run();

private:
  bool offer(const Assignment &whole, const LatencyTasks &tasks,
             ScheduleEffort effort);
  void offer(const Assignment &whole);
  void offerAll(const LoadModel &model);
  void search(const Assignment &together);
  bool improve(size_t &numLooks);
  bool fits(const Assignment &whole) const {
    return !limits || limits->fits(whole);
  }

  const Assignment &open;
  const MergedGroups &merged;
  int64_t workLimit;
  const LatencyLimits *limits;
  ProgramSegments segments;
  std::optional<Assignment> best;
  /// Latency, and the sum of times.
  std::pair<int64_t, int64_t> bestCost;
};
} // namespace

/// False if its tasks cannot be better than the best.
bool LatencyPlacer::offer(const Assignment &whole, const LatencyTasks &tasks,
                          ScheduleEffort effort) {
  if (best && std::pair(tasks.getBound(), tasks.sum) >= bestCost)
    return false;
  std::pair cost(tasks.schedule(effort), tasks.sum);
  if ((best && cost >= bestCost) || !fits(whole))
    return true;
  best = whole;
  bestCost = cost;
  return true;
}

void LatencyPlacer::offer(const Assignment &whole) {
  offer(whole, collectTasks(whole, segments), ScheduleEffort::Several);
}

/// Those first whose engines need the least by themselves: with the best of
/// them what needs no less is through.
void LatencyPlacer::offerAll(const LoadModel &model) {
  using Entry = std::tuple<int64_t, int64_t, unsigned>;
  SmallVector<LoadSolution, 0> solutions;
  SmallVector<Entry, 0> entries;
  forEachPlacement(model, [&](const LoadSolution &solution) {
    Assignment whole = merged.spread(model.getAssignment(solution));
    LatencyTasks tasks = collectTasks(whole, segments);
    entries.push_back({tasks.getBound(), tasks.sum, solutions.size()});
    solutions.push_back(solution);
  });
  llvm::sort(entries);
  unsigned count = 0;
  for (auto [bound, sum, number] : entries) {
    if (best && bound > bestCost.first)
      break;
    Assignment whole = merged.spread(model.getAssignment(solutions[number]));
    count += offer(whole, collectTasks(whole, segments),
                   count < kMostScheduled ? ScheduleEffort::Several
                                          : ScheduleEffort::One);
  }
}

void LatencyPlacer::search(const Assignment &together) {
  const Topology &topology = open.getGraph().topology;
  SmallVector<Assignment, 0> starts;
  auto add = [&](Assignment start) {
    starts.push_back(merged.spread(std::move(start)));
    offer(starts.back());
  };
  for (DeviceIndex device = 0; device < topology.size(); ++device)
    add(placeOnOne(together, device));
  add(placeGreedily(together));
  add(makeOnce(together, placeOptimally(together, workLimit).assignment));
  add(placeForThroughput(together, workLimit));
  if (limits)
    for (const Assignment &known : limits->known)
      add(makeOnce(together, merged.merge(known)));
  LatencyModel model(open, segments);
  if (limits)
    model.setBudgets(limits->getBudgets(model.getWeights(starts.back())));
  SmallVector<LatencySolution> solutions;
  for (const Assignment &start : starts)
    solutions.push_back(model.getSolution(start));
  SmallVector<LatencySolution> found =
      searchLatency(model.getProblem(), solutions, kMostFound);
  for (const LatencySolution &solution : llvm::reverse(found))
    offer(model.getAssignment(solution));
  size_t numLooks = kMoveWork / (open.getGraph().nodes.size() + 1) + 1;
  while (best && improve(numLooks))
    ;
}

/// Makes the first move of one node, or of a group, that is better.
bool LatencyPlacer::improve(size_t &numLooks) {
  Assignment current = merged.merge(*best);
  const PlacementGraph &graph = current.getGraph();
  std::pair<int64_t, int64_t> before = bestCost;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    DeviceIndex home = current.getDevice(node);
    if (!graph.nodes[node].open || current.isReplicated(node))
      continue;
    for (DeviceIndex device = 0; device < graph.topology.size(); ++device) {
      if (device == home || !graph.isAllowed(node, device))
        continue;
      if (numLooks-- == 1)
        return false;
      current.setDevice(node, device);
      offer(merged.spread(current));
      if (bestCost < before)
        return true;
    }
    current.setDevice(node, home);
  }
  return false;
}

std::optional<Assignment> LatencyPlacer::run() {
  if (open.getGraph().isDecided())
    return fits(open) ? std::optional(open) : std::nullopt;
  Assignment together = merged.merge(open);
  LoadModel model(together);
  if (hasFewPlacements(model))
    offerAll(model);
  else
    search(together);
  return std::move(best);
}

std::optional<Assignment>
mlir::hetero::placeForLatency(const Assignment &open,
                              const MergedGroups &merged, int64_t workLimit,
                              const LatencyLimits *limits) {
  return LatencyPlacer(open, merged, workLimit, limits).run();
}
