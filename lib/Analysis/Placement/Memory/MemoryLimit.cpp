//===- MemoryLimit.cpp - Placement within the memory of devices -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both ways to stay within memory, resident constants and constants that are
// copied for each use, go through one search that knows exactly what fits
// (hetero/Placement/FitSearch.h). For the second one the uses of constants take
// longer by their copies, all of them, or a part of that: how many of them can
// stay is known only of a whole placement.
//
//===----------------------------------------------------------------------===//

#include "MemoryLimit.h"

#include "Analysis/Placement/Price/PlacementPrice.h"
#include "Analysis/Placement/Solve/BuildProblem.h"
#include "Analysis/Placement/Solve/PlaceForThroughput.h"
#include "BuildMemory.h"
#include "MemoryUse.h"
#include "ReportExcess.h"
#include "StreamCost.h"

using namespace mlir;
using namespace mlir::hetero;

/// Parts of the time of all copies of constants that a search goes by.
static constexpr double kStreamedParts[] = {1.0, 0.5, 0.25, 0.0};

namespace {
/// The best of the placements that were offered.
struct FittingPlacement {
  Assignment placement;
  int64_t cost;
  bool isStreamed;
};
} // namespace

/// Takes a placement if it fits and is better; `plain` is the model in which
/// constants are resident.
static void offer(const Assignment &placement, const MemoryModel &model,
                  const MemoryModel &plain,
                  std::optional<FittingPlacement> &best) {
  MemoryUse use(model, placement);
  if (use.getExcess() != 0)
    return;
  int64_t cost = computePrice(placement).cost;
  bool streams = model.streamsConstants();
  if (streams)
    for (const StreamedConstants &stream : estimateStreams(use, plain))
      cost = addTimes(cost, stream.time);
  if (!best || cost < best->cost)
    best = {placement, cost, streams};
}

/// The graph in which uses of constants on devices that may stream them take
/// longer by a part of the time of the copy.
static PlacementGraph addStreams(const MemoryModel &streaming, double part) {
  PlacementGraph priced(streaming.graph);
  priced.tellDevicesApart();
  forEachStreamableRead(streaming, [&](const PlacementRead &read,
                                       DeviceIndex device, int64_t time) {
    int64_t &own =
        priced.times[size_t(read.node) * priced.topology.size() + device];
    if (own != kNever)
      own = addPossibleTimes(own, int64_t(part * double(time)));
  });
  return priced;
}

/// Offers what the search finds from a placement with constants in the memory
/// of their devices, and with such that come from the host.
static std::optional<FittingPlacement> search(const Assignment &start,
                                              const MemoryModel &plain,
                                              const MemoryModel *streaming) {
  std::optional<FittingPlacement> best;
  for (const Assignment &found :
       searchPlacements(buildLimitedProblem(plain), {start}, SearchGoal::Sum))
    offer(found, plain, plain, best);
  if (!streaming)
    return best;
  offer(start, *streaming, plain, best);
  SmallVector<Assignment, 2> starts = {start};
  if (best)
    starts.push_back(best->placement);
  for (double part : kStreamedParts) {
    PlacementGraph priced = addStreams(*streaming, part);
    for (Assignment &each : starts)
      each.setGraph(priced);
    MemoryModel model(priced, /*streamsConstants=*/true);
    for (Assignment &found :
         searchPlacements(buildLimitedProblem(model), starts, SearchGoal::Sum,
                          SearchEffort::Moves)) {
      found.setGraph(plain.graph);
      offer(found, *streaming, plain, best);
    }
  }
  return best;
}

static SmallVector<MemoryShortage, 0> findShortages(const MemoryUse &use) {
  const Topology &topology = use.getModel().graph.topology;
  SmallVector<MemoryShortage, 0> shortages;
  for (DeviceIndex device = 0; device < topology.size(); ++device)
    if (use.getExcess(device) != 0)
      shortages.push_back({topology.getDevice(device),
                           use.getPeak(device).bytes,
                           *topology.getCapacity(device)});
  return shortages;
}

/// True if some constant could be streamed to a device that is short of memory.
static bool canStreamAny(const MemoryModel &model,
                         ArrayRef<MemoryShortage> shortages) {
  bool may = false;
  forEachStreamableRead(
      model, [&](const PlacementRead &, DeviceIndex device, int64_t) {
        may |= llvm::any_of(shortages, [&](const MemoryShortage &shortage) {
          return shortage.device == model.graph.topology.getDevice(device);
        });
      });
  return may;
}

/// Takes the placement if it fits, else says why not.
static LogicalResult finish(PlacementSolution &solution,
                            const MemoryModel &model, const MemoryModel &plain,
                            bool wasSearched) {
  MemoryUse use(model, solution.assignment);
  if (model.streamsConstants())
    solution.streams = estimateStreams(use, plain);
  if (use.getExcess() == 0)
    return success();
  reportExcess(use, wasSearched);
  return failure();
}

LogicalResult mlir::hetero::fitMemory(PlacementSolution &solution, bool mayMove,
                                      bool mayStream) {
  const PlacementGraph &graph = solution.assignment.getGraph();
  if (!mayExceedMemory(graph))
    return success();
  MemoryModel model(graph);
  MemoryUse use(model, solution.assignment);
  solution.shortages = findShortages(use);
  if (solution.shortages.empty())
    return success();
  MemoryModel streaming(graph, /*streamsConstants=*/true);
  bool streams = mayStream && canStreamAny(streaming, solution.shortages);
  if (!mayMove)
    return finish(solution, streams ? streaming : model, model,
                  /*wasSearched=*/false);
  int64_t cost = computePrice(solution.assignment).cost;
  std::optional<FittingPlacement> best =
      search(solution.assignment, model, streams ? &streaming : nullptr);
  if (best) {
    solution.assignment = std::move(best->placement);
    streams = best->isStreamed;
  }
  LogicalResult isFit = finish(solution, streams ? streaming : model, model,
                               /*wasSearched=*/true);
  // The bound is that of the placement without limits.
  if (solution.gap)
    *solution.gap += computePrice(solution).cost - cost;
  return isFit;
}

LogicalResult mlir::hetero::fitLoads(PlacementSolution &solution) {
  Assignment start = solution.assignment;
  if (failed(fitMemory(solution, /*mayMove=*/true, /*mayStream=*/false)))
    return failure();
  if (solution.shortages.empty())
    return success();
  SmallVector<Assignment, 0> found = searchPlacements(
      buildLimitedProblem(MemoryModel(start.getGraph())),
      {start, makeOnce(start, solution.assignment)}, SearchGoal::LargestLoad);
  if (!found.empty())
    solution.assignment = std::move(found.front());
  return success();
}
