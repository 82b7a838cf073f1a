//===- FitSearch.h - Placement within the memory of devices -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks for a cheap assignment that fits: from assignments that need not fit,
// repaired, and from slices of the program; then by moves of units, of rows of
// units, by exchanges, and by annealing.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_PLACEMENT_FITSEARCH_H
#define HETERO_PLACEMENT_FITSEARCH_H

#include "hetero/Placement/PlacementAssignment.h"

#include <optional>

namespace mlir::hetero {

/// The objective of a search.
enum class SearchGoal {
  /// All times together.
  Sum,
  /// The largest load of a device or link; of equal ones the least sum.
  LargestLoad
};

/// How much a search does: moves that are better at once, or after these also
/// annealing, which takes some ten times as long.
enum class SearchEffort { Moves, Annealing };

struct FittingAssignment {
  PlacementAssignment assignment;
  /// The value of the goal, and the sum of all times; picoseconds.
  int64_t cost, sum;

  bool operator<(const FittingAssignment &other) const {
    return std::pair(cost, sum) < std::pair(other.cost, other.sum);
  }
};

/// The best assignments that were found to fit, the better first, at most one
/// from each start and from each way to cut the program into slices; the best
/// one of all where there are few. What is replicated is so in all starts. The
/// amount of work is fixed, so that the result is the same everywhere.
std::vector<FittingAssignment>
findFitting(const PlacementProblem &problem,
            const std::vector<PlacementAssignment> &starts, SearchGoal goal,
            SearchEffort effort);

} // namespace mlir::hetero

#endif // HETERO_PLACEMENT_FITSEARCH_H
