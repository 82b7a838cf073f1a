//===- SearchPlacements.cpp - Placements found from numbers ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchPlacements.h"

#include "BuildProblem.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Assignment, 0>
mlir::hetero::searchPlacements(const PlacementProblem &problem,
                               ArrayRef<Assignment> starts, SearchGoal goal) {
  std::vector<PlacementAssignment> numbers;
  for (const Assignment &start : starts) {
    numbers.push_back(buildAssignment(start));
    if (numbers.back().isReplicated != numbers.front().isReplicated)
      numbers.pop_back();
  }
  SmallVector<Assignment, 0> found;
  for (const FittingAssignment &fitting : findFitting(problem, numbers, goal)) {
    found.push_back(starts.front());
    assignNumbers(fitting.assignment, found.back());
  }
  return found;
}
