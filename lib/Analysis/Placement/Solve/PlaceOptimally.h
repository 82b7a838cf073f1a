//===- PlaceOptimally.h - Places operations by cost -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_PLACEOPTIMALLY_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_PLACEOPTIMALLY_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// Decides the open nodes so that the price is the least: exactly with two
/// devices, else by moves between pairs of devices, starting from the best
/// placement with only two of them. Each cut looks at most `workLimit` times at
/// an edge, on average; 0 is no limit.
PlacementSolution placeOptimally(Assignment start, int64_t workLimit);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_PLACEOPTIMALLY_H
