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
#include "hetero/Placement/FitSearch.h"

namespace mlir::hetero {

/// The problem that a graph is after its annotations, without its memory.
PlacementProblem buildProblem(const PlacementGraph &graph);
/// The same where all devices have memory without limits.
PlacementProblem buildUnlimitedProblem(const PlacementGraph &graph);

/// The devices of nodes as numbers.
PlacementAssignment buildAssignment(const Assignment &assignment);
/// The other way round.
void assignNumbers(const PlacementAssignment &numbers, Assignment &assignment);

/// Placements within the memory of the problem, that of the graph of `starts`,
/// the better first. They are found from these, of which some may fit. Starts
/// that replicate other nodes than the first one does are left out.
SmallVector<Assignment, 0>
searchPlacements(const PlacementProblem &problem, ArrayRef<Assignment> starts,
                 SearchGoal goal,
                 SearchEffort effort = SearchEffort::Annealing);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_BUILDPROBLEM_H
