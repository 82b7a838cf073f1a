//===- Slices.h - Consecutive parts of a program, a device each -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An order of the program is cut into consecutive slices, each on a device of
// its own that has the memory for it, or on the host, by a dynamic program: for
// the least sum of work and copies, or for the least largest slice. It is exact
// for its model: a value that leaves a slice is copied to the host once, and
// from there once into each slice that reads it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_PLACEMENT_SLICES_H
#define HETERO_LIB_PLACEMENT_SLICES_H

#include "PlacementUnits.h"

namespace mlir::hetero {

/// What of the slices is made small.
enum class SliceGoal { Sum, Largest };

/// Places the units of `start` by slices of `blocks`, for each of the goals.
/// `budgets` has the bytes that a slice may take on each device.
std::vector<PlacementAssignment>
placeBySlices(const PlacementProblem &problem, const ProblemLists &lists,
              const PlacementUnits &units, const std::vector<UnitBlock> &blocks,
              const PlacementAssignment &start,
              const std::vector<int64_t> &budgets,
              const std::vector<SliceGoal> &goals);

} // namespace mlir::hetero

#endif // HETERO_LIB_PLACEMENT_SLICES_H
