//===- Colocation.h - Nodes that stand on one device ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of one function with the same `hetero.colocate` are one node to
// the solver.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_ANNOTATE_COLOCATION_H
#define HETERO_ANALYSIS_PLACEMENT_ANNOTATE_COLOCATION_H

#include "Analysis/Placement/Graph/PlacementGraph.h"

namespace mlir::hetero {

/// Settles the groups that have one device in common, and leaves those with
/// several to the solver. What each node may be on is known; emits an error for
/// every group that has no device. With `toHost` nothing is left.
LogicalResult decideColocated(PlacementGraph &graph, bool toHost);

/// While it exists, the first node of each group stands for all of them.
class MergedGroups {
public:
  explicit MergedGroups(PlacementGraph &graph);
  ~MergedGroups();
  MergedGroups(const MergedGroups &) = delete;
  MergedGroups &operator=(const MergedGroups &) = delete;

private:
  void merge(const ColocationGroup &group);

  PlacementGraph &graph;
  /// What is not as it was: numbers with what they had.
  SmallVector<std::pair<NodeIndex, PlacementNode>, 0> nodes;
  SmallVector<std::pair<unsigned, NodeIndex>, 0> reads, values;
  SmallVector<std::pair<size_t, int64_t>, 0> times;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_COLOCATION_H
