//===- FitLoads.h - Throughput within the memory of devices --- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_FITLOADS_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_FITLOADS_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// Where a placement for throughput needs more memory than some device has,
/// looks for one that fits: the best of all where they are few, else of what
/// the least sum within the memory is, of one device each, and of moves from
/// the best of these. Emits an error if none fits.
LogicalResult fitLoads(PlacementSolution &solution, int64_t workLimit);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_FITLOADS_H
