//===- Annealing.h - Assignments by simulated annealing ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_PLACEMENT_ANNEALING_H
#define HETERO_LIB_PLACEMENT_ANNEALING_H

#include "PlacementUnits.h"
#include "Pricer.h"

namespace mlir::hetero {

/// The best assignment for a goal that simulated annealing finds from a start.
/// `bytes` is what each unit keeps on its device: no move makes the units of a
/// device take more beyond its budget. The amount of work is fixed.
PlacementAssignment
anneal(const PlacementProblem &problem, const ProblemLists &lists,
       const PlacementUnits &units, const PlacementAssignment &start,
       const std::vector<int64_t> &bytes, const std::vector<int64_t> &budgets,
       SearchGoal goal);

} // namespace mlir::hetero

#endif // HETERO_LIB_PLACEMENT_ANNEALING_H
