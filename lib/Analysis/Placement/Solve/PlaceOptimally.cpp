//===- PlaceOptimally.cpp - Places operations by cost ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With two devices one binary problem is the whole placement and its solution
// is the optimum. With more the problem is NP-hard. Starting from the best
// placement with only two devices, every pair of devices swaps what stands on
// the two of them, each time optimally, until no pair lowers the cost (Boykov,
// Veksler, Zabih 2001, IEEE PAMI 23(11): swap moves). None of that depends on
// the order of operations that do not depend on each other: a cut gives its
// least solution, not the first that it finds.
//
//===----------------------------------------------------------------------===//

#include "PlaceOptimally.h"

#include "Analysis/Placement/Price/PlacementPrice.h"
#include "PairProblem.h"
#include "PlaceGreedily.h"
#include "Repetition.h"

using namespace mlir;
using namespace mlir::hetero;

/// Rounds over all pairs. Each round but the last lowers the cost; few are
/// needed, and the bound keeps the time in proportion.
static constexpr unsigned kMaxRounds = 8;

/// Decides the nodes greedily if that costs less, else leaves them as they are.
/// Before, they were `open`. Returns what they cost then.
static int64_t placeGreedilyIfCheaper(PlacementGraph &graph,
                                      const PlacementSnapshot &open,
                                      int64_t cost) {
  PlacementSnapshot before(graph);
  open.restore(graph);
  placeGreedily(graph);
  int64_t greedy = computePrice(graph).cost;
  if (greedy < cost)
    return greedy;
  before.restore(graph);
  return cost;
}

/// The optimum, unless the cut stops early: then the better of what it has and
/// the greedy placement. Returns what the cost may be above the least.
static int64_t placeOnPair(PlacementGraph &graph, int64_t workLimit) {
  PlacementSnapshot open(graph);
  if (graph.topology.size() == 2)
    findRepetitions(graph);
  PairProblem problem(graph, Topology::kHost, graph.topology.size() - 1);
  problem.solve(workLimit);
  if (problem.getGap() == 0)
    return 0;
  int64_t cost = computePrice(graph).cost;
  int64_t least = placeGreedilyIfCheaper(graph, open, cost);
  return std::max<int64_t>(problem.getGap() - (cost - least), 0);
}

/// Calls `visit` with each two devices.
static void
forEachPair(const Topology &topology,
            llvm::function_ref<void(DeviceIndex, DeviceIndex)> visit) {
  for (DeviceIndex first = 0; first < topology.size(); ++first)
    for (DeviceIndex second = first + 1; second < topology.size(); ++second)
      visit(first, second);
}

/// Decides the open nodes that can stand on neither of two devices: each where
/// it is fastest.
static void placeOthers(PlacementGraph &graph, DeviceIndex first,
                        DeviceIndex second) {
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    PlacementNode &node = graph.nodes[index];
    if (!node.open || node.replicable || graph.isAllowed(index, first) ||
        graph.isAllowed(index, second))
      continue;
    for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
      if (graph.isAllowed(index, device) &&
          (node.device == kNone ||
           graph.getTime(index, device) < graph.getTime(index, node.device)))
        node.device = device;
  }
}

/// Decides what is `open` with only two devices, those two with which that
/// costs the least. Returns the cost.
static int64_t placeOnBestPair(PlacementGraph &graph,
                               const PlacementSnapshot &open,
                               int64_t workLimit) {
  std::optional<PlacementSnapshot> best;
  int64_t least = 0;
  forEachPair(graph.topology, [&](DeviceIndex first, DeviceIndex second) {
    open.restore(graph);
    placeOthers(graph, first, second);
    PairProblem(graph, first, second).solve(workLimit);
    int64_t cost = computePrice(graph).cost;
    if (best && cost >= least)
      return;
    best.emplace(graph);
    least = cost;
  });
  best->restore(graph);
  return least;
}

/// Swaps between two devices. True if that lowered the cost; where it is the
/// same, more stands on the first device than before.
static bool swap(PlacementGraph &graph, DeviceIndex first, DeviceIndex second,
                 int64_t workLimit, int64_t &cost) {
  PlacementSnapshot before(graph);
  if (!PairProblem(graph, first, second).solve(workLimit))
    return false;
  int64_t after = computePrice(graph).cost;
  if (after > cost) {
    before.restore(graph);
    return false;
  }
  return after < std::exchange(cost, after);
}

/// Swaps between all pairs of devices from a placement of this cost on, until
/// none lowers it. Returns the cost.
static int64_t swapPairs(PlacementGraph &graph, int64_t workLimit,
                         int64_t cost) {
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    bool improved = false;
    forEachPair(graph.topology, [&](DeviceIndex first, DeviceIndex second) {
      improved |= swap(graph, first, second, workLimit, cost);
    });
    if (!improved)
      break;
  }
  return cost;
}

std::optional<int64_t> mlir::hetero::placeOptimally(PlacementGraph &graph,
                                                    int64_t workLimit) {
  for (PlacementNode &node : graph.nodes) {
    // What was repeated at other prices is open again.
    if (node.open)
      node.replicable = node.mayRepeat = false;
    if (!node.mayRepeat || node.replicable)
      continue;
    node.replicable = true;
    node.device = kNone;
  }
  if (graph.topology.size() <= 2)
    return placeOnPair(graph, workLimit);
  PlacementSnapshot open(graph);
  int64_t cost =
      swapPairs(graph, workLimit, placeOnBestPair(graph, open, workLimit));
  int64_t least = placeGreedilyIfCheaper(graph, open, cost);
  if (least < cost)
    least = swapPairs(graph, workLimit, least);
  repeatCheaper(graph, std::min(least, cost));
  return std::nullopt;
}
