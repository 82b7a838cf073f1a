//===- PlaceOptimally.cpp - Places operations by cost ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With two devices one binary problem is the whole placement and its solution
// is the optimum. With more the problem is NP-hard; from the greedy placement
// on every pair of devices swaps what stands on the two of them, each time
// optimally, until no pair lowers the cost (Boykov, Veksler, Zabih 2001, IEEE
// PAMI 23(11): swap moves).
//
//===----------------------------------------------------------------------===//

#include "PairProblem.h"

using namespace mlir;
using namespace mlir::hetero;

/// Rounds over all pairs. Each round but the last lowers the cost; few are
/// needed, and the bound keeps the time in proportion.
static constexpr unsigned kMaxRounds = 8;

namespace {
/// The devices of all nodes, to go back to.
class Snapshot {
public:
  explicit Snapshot(const PlacementGraph &graph) {
    devices.reserve(graph.nodes.size());
    for (const PlacementNode &node : graph.nodes)
      devices.push_back(node.device);
  }
  void restore(PlacementGraph &graph) const {
    for (auto [node, device] : llvm::zip_equal(graph.nodes, devices))
      node.device = device;
  }

private:
  SmallVector<DeviceIndex, 0> devices;
};
} // namespace

/// Swaps between two devices. True if that lowered the cost.
static bool swap(PlacementGraph &graph, DeviceIndex first, DeviceIndex second,
                 int64_t workLimit, int64_t &cost) {
  Snapshot before(graph);
  if (!PairProblem(graph, first, second).solve(workLimit))
    return false;
  int64_t after = computePrice(graph).cost;
  if (after < cost) {
    cost = after;
    return true;
  }
  before.restore(graph);
  return false;
}

/// The optimum, unless the cut stops early: then the better of what it has and
/// the greedy placement. Returns what the cost may be above the least.
static int64_t placeOnPair(PlacementGraph &graph, int64_t workLimit) {
  Snapshot open(graph);
  PairProblem problem(graph, Topology::kHost, graph.topology.size() - 1);
  problem.solve(workLimit);
  if (problem.getGap() == 0)
    return 0;
  int64_t cost = computePrice(graph).cost;
  Snapshot stopped(graph);
  open.restore(graph);
  placeGreedily(graph);
  int64_t greedy = computePrice(graph).cost;
  if (greedy >= cost)
    stopped.restore(graph);
  return std::max<int64_t>(problem.getGap() - (cost - std::min(greedy, cost)),
                           0);
}

std::optional<int64_t> mlir::hetero::placeOptimally(PlacementGraph &graph,
                                                    int64_t workLimit) {
  unsigned numDevices = graph.topology.size();
  if (numDevices <= 2)
    return placeOnPair(graph, workLimit);
  placeGreedily(graph);
  int64_t cost = computePrice(graph).cost;
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    bool improved = false;
    for (DeviceIndex first = 0; first < numDevices; ++first)
      for (DeviceIndex second = first + 1; second < numDevices; ++second)
        improved |= swap(graph, first, second, workLimit, cost);
    if (!improved)
      break;
  }
  return std::nullopt;
}
