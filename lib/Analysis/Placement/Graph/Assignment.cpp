//===- Assignment.cpp - Where the nodes of a graph stand ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assignment.h"

using namespace mlir;
using namespace mlir::hetero;

Assignment::Assignment(const PlacementGraph &graph) : graph(&graph) {
  states.reserve(graph.nodes.size());
  for (const PlacementNode &node : graph.nodes)
    states.push_back({kNone, node.canReplicate});
}
