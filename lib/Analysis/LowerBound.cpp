//===- LowerBound.cpp - What no placement can be cheaper than -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With two devices the optimum is its own bound. Else: every node where it is
// fastest, and no copies.
//
//===----------------------------------------------------------------------===//

#include "PairProblem.h"

using namespace mlir;
using namespace mlir::hetero;

/// Every node where it is fastest, without copies.
static int64_t sumBestTimes(const PlacementGraph &graph) {
  int64_t sum = 0;
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    const PlacementNode &node = graph.nodes[index];
    // What nothing needs is not made at all.
    if (!node.isTimed || node.replicable)
      continue;
    int64_t best = graph.getTime(index, node.device);
    for (DeviceIndex device = 0; node.open && device < graph.topology.size();
         ++device)
      if (graph.isAllowed(index, device))
        best = std::min(best, graph.getTime(index, device));
    sum = addTimes(sum, best);
  }
  return sum;
}

int64_t mlir::hetero::computeLowerBound(PlacementGraph &graph, int64_t cost,
                                        bool isOptimal) {
  if (isOptimal && graph.topology.size() <= 2)
    return cost;
  return std::min(cost, sumBestTimes(graph));
}
