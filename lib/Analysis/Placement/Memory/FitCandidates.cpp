//===- FitCandidates.cpp - Placements that fit, from numbers --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitCandidates.h"

#include "Analysis/Placement/Solve/BuildProblem.h"
#include "BuildMemory.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Assignment, 0> mlir::hetero::findFittingPlacements(
    const MemoryModel &memory, ArrayRef<Assignment> starts, SearchGoal goal) {
  PlacementProblem problem = buildProblem(memory.graph);
  problem.memory = buildMemory(memory);
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
