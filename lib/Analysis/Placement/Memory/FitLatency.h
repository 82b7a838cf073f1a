//===- FitLatency.h - Latency within the memory of devices ---- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_FITLATENCY_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_FITLATENCY_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// Where a placement for latency needs more memory than some device has, looks
/// for one that fits: the best of all where they are few, else of the starts
/// that fit, among them the least sum within the memory, and of a search that
/// counts what constants take. Emits an error if none fits.
LogicalResult fitLatency(PlacementSolution &solution, int64_t workLimit);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_FITLATENCY_H
