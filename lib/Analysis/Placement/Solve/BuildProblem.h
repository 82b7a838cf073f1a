//===- BuildProblem.h - A graph as numbers ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_BUILDPROBLEM_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_BUILDPROBLEM_H

#include "Analysis/Placement/Graph/Assignment.h"
#include "hetero/Placement/PlacementAssignment.h"

namespace mlir::hetero {

/// The problem that a graph is after its annotations, without its memory.
PlacementProblem buildProblem(const PlacementGraph &graph);
/// The same where all devices have memory without limits.
PlacementProblem buildUnlimitedProblem(const PlacementGraph &graph);

/// The devices of nodes as numbers.
PlacementAssignment buildAssignment(const Assignment &assignment);
/// The other way round.
void assignNumbers(const PlacementAssignment &numbers, Assignment &assignment);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_BUILDPROBLEM_H
