//===- MergedGroups.h - Colocated nodes as one ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_GRAPH_MERGEDGROUPS_H
#define HETERO_ANALYSIS_PLACEMENT_GRAPH_MERGEDGROUPS_H

#include "Assignment.h"

namespace mlir::hetero {

/// A graph in which the first node of each group stands for all of them.
class MergedGroups {
public:
  explicit MergedGroups(const PlacementGraph &graph);

  /// The same assignment of the merged graph.
  Assignment merge(Assignment assignment) const;
  /// The assignment of the graph where all of a group are with its first node.
  Assignment spread(Assignment assignment) const;

private:
  const PlacementGraph &graph;
  /// Nothing where no group is to be decided.
  std::optional<PlacementGraph> merged;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_GRAPH_MERGEDGROUPS_H
