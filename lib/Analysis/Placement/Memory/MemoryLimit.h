//===- MemoryLimit.h - Placement within the memory of devices ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYLIMIT_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYLIMIT_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// Where the placement needs more memory than some device has, looks for one
/// that fits, at the least cost that the search finds, and says what was short.
/// Without `mayMove` it stays as it is. Emits an error if it does not fit then.
/// Constants are streamed where that is cheaper, unless `mayStream` is false:
/// only the sum has a price for it. Costs one pass over the values where memory
/// cannot be short.
LogicalResult fitMemory(PlacementSolution &solution, bool mayMove,
                        bool mayStream = true);

/// The same for the largest load of a device or link, without streams.
LogicalResult fitLoads(PlacementSolution &solution);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYLIMIT_H
