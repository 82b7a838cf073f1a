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

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// Settles the groups that have one device in common, and leaves those with
/// several to the solver. What each node may be on is known; emits an error for
/// every group that has no device. With `toHost` nothing is left.
LogicalResult decideColocated(PlacementGraph &graph, Assignment &assignment,
                              bool toHost);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_COLOCATION_H
