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
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

/// Most devices of which all pairs are looked at.
static constexpr unsigned kMostInPairs = 16;
/// Rounds over all pairs. Each round but the last lowers the cost; few are
/// needed, and the bound keeps the time in proportion.
static constexpr unsigned kMaxRounds = 8;

namespace {
struct PricedAssignment {
  explicit PricedAssignment(Assignment decided)
      : assignment(std::move(decided)), cost(computePrice(assignment).cost) {}

  Assignment assignment;
  int64_t cost;
};
} // namespace

/// The better of what was found and the greedy placement.
static PricedAssignment orGreedy(const PricedAssignment &found,
                                 const Assignment &open) {
  PricedAssignment greedy(placeGreedily(open));
  return greedy.cost < found.cost ? greedy : found;
}

//===----------------------------------------------------------------------===//
// Two devices
//===----------------------------------------------------------------------===//

/// The optimum, unless the cut stops early: then the better of what it has and
/// the greedy placement.
static PlacementSolution placeOnTwo(const Assignment &open, int64_t workLimit) {
  const Topology &topology = open.getGraph().topology;
  PairSolution cut =
      solvePair(topology.size() == 2 ? findRepetitions(open) : open,
                Topology::kHost, topology.size() - 1, workLimit);
  if (cut.gap == 0)
    return {std::move(cut.assignment), 0};
  PricedAssignment found(std::move(cut.assignment));
  PricedAssignment better = orGreedy(found, open);
  int64_t gap = std::max<int64_t>(cut.gap - (found.cost - better.cost), 0);
  return {std::move(better.assignment), gap};
}

//===----------------------------------------------------------------------===//
// More devices
//===----------------------------------------------------------------------===//

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
static Assignment placeOthers(Assignment assignment, DeviceIndex first,
                              DeviceIndex second) {
  const PlacementGraph &graph = assignment.getGraph();
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (!graph.nodes[node].open || assignment.isReplicated(node) ||
        graph.isAllowed(node, first) || graph.isAllowed(node, second))
      continue;
    DeviceIndex best = assignment.getDevice(node);
    for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
      if (graph.isAllowed(node, device) &&
          (best == kNone ||
           graph.getTime(node, device) < graph.getTime(node, best)))
        best = device;
    assignment.setDevice(node, best);
  }
  return assignment;
}

/// What is open decided with only two devices, those two with which that costs
/// the least.
static PricedAssignment placeOnBestPair(const Assignment &open,
                                        int64_t workLimit) {
  std::optional<PricedAssignment> best;
  forEachPair(
      open.getGraph().topology, [&](DeviceIndex first, DeviceIndex second) {
        PricedAssignment found(solvePair(placeOthers(open, first, second),
                                         first, second, workLimit)
                                   .assignment);
        if (!best || found.cost < best->cost)
          best = std::move(found);
      });
  return std::move(*best);
}

/// Swaps between two devices. True if that lowered the cost; where it is the
/// same, more stands on the first device than before.
static bool swap(PricedAssignment &current, DeviceIndex first,
                 DeviceIndex second, int64_t workLimit) {
  PairSolution solution =
      solvePair(current.assignment, first, second, workLimit);
  if (!solution.hadChoice)
    return false;
  PricedAssignment swapped(std::move(solution.assignment));
  bool isCheaper = swapped.cost < current.cost;
  if (swapped.cost <= current.cost)
    current = std::move(swapped);
  return isCheaper;
}

/// Pairs of devices that exchange a value which something open makes or reads,
/// and of devices of a node that something open stands on.
static SmallVector<std::pair<DeviceIndex, DeviceIndex>, 0>
findNeighbours(const Assignment &assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  SmallVector<std::pair<DeviceIndex, DeviceIndex>, 0> pairs;
  auto add = [&](DeviceIndex a, DeviceIndex b) {
    if (a != b && a != kNone && b != kNone)
      pairs.push_back(std::minmax({a, b}));
  };
  auto isOpen = [&](NodeIndex node) {
    return node != kNone && graph.nodes[node].open &&
           !assignment.isReplicated(node);
  };
  for (const PlacementRead &read : graph.reads)
    if (NodeIndex producer = graph.values[read.value].producer;
        !assignment.isReplicated(read.node) &&
        !assignment.isValueReplicated(read.value) &&
        (isOpen(read.node) || isOpen(producer)))
      add(assignment.getValueDevice(read.value),
          assignment.getDevice(read.node));
  for (const FixedUse &use : graph.fixedUses)
    if (isOpen(graph.values[use.value].producer))
      add(assignment.getValueDevice(use.value), use.device);
  // What is open may rather stand elsewhere on its node.
  llvm::SmallSetVector<DeviceIndex, 8> hosts;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (isOpen(node))
      hosts.insert(graph.topology.getHostOf(assignment.getDevice(node)));
  for (DeviceIndex host : hosts)
    for (DeviceIndex a : graph.topology.getDevicesOfNode(host))
      for (DeviceIndex b : graph.topology.getDevicesOfNode(host))
        add(a, b);
  llvm::sort(pairs);
  pairs.erase(llvm::unique(pairs), pairs.end());
  return pairs;
}

/// Swaps between all pairs of devices, or where these are too many between
/// neighbours, until none lowers the cost.
static PricedAssignment swapPairs(PricedAssignment current, int64_t workLimit) {
  const Topology &topology = current.assignment.getGraph().topology;
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    bool improved = false;
    auto visit = [&](DeviceIndex first, DeviceIndex second) {
      improved |= swap(current, first, second, workLimit);
    };
    if (topology.size() <= kMostInPairs)
      forEachPair(topology, visit);
    else
      for (auto [first, second] : findNeighbours(current.assignment))
        visit(first, second);
    if (!improved)
      break;
  }
  return current;
}

static Assignment placeOnMore(const Assignment &open, int64_t workLimit) {
  if (open.getGraph().isDecided())
    return repeatWhereCheaper(open);
  if (open.getGraph().topology.size() > kMostInPairs) {
    PricedAssignment found =
        swapPairs(PricedAssignment(placeGreedily(open)), workLimit);
    return repeatWhereCheaper(std::move(found.assignment));
  }
  PricedAssignment found =
      swapPairs(placeOnBestPair(open, workLimit), workLimit);
  PricedAssignment better = orGreedy(found, open);
  if (better.cost < found.cost)
    better = swapPairs(std::move(better), workLimit);
  return repeatWhereCheaper(std::move(better.assignment));
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

PlacementSolution mlir::hetero::placeOptimally(Assignment start,
                                               int64_t workLimit) {
  Assignment open = reopenRepeated(std::move(start));
  if (open.getGraph().topology.size() <= 2)
    return placeOnTwo(open, workLimit);
  return {placeOnMore(open, workLimit)};
}
