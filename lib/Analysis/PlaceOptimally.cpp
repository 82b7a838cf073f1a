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
                 int64_t &cost) {
  Snapshot before(graph);
  if (!PairProblem(graph, first, second).solve())
    return false;
  int64_t after = computePrice(graph).cost;
  if (after < cost) {
    cost = after;
    return true;
  }
  before.restore(graph);
  return false;
}

void mlir::hetero::placeOptimally(PlacementGraph &graph) {
  unsigned numDevices = graph.topology.size();
  if (numDevices <= 2) {
    PairProblem(graph, Topology::kHost, numDevices - 1).solve();
    return;
  }
  placeGreedily(graph);
  int64_t cost = computePrice(graph).cost;
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    bool improved = false;
    for (DeviceIndex first = 0; first < numDevices; ++first)
      for (DeviceIndex second = first + 1; second < numDevices; ++second)
        improved |= swap(graph, first, second, cost);
    if (!improved)
      return;
  }
}
