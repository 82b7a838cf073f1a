//===- MemoryLimit.h - Placement within the memory of devices ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYLIMIT_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYLIMIT_H

#include "Analysis/Placement/Graph/PlacementGraph.h"

namespace mlir::hetero {

/// Where the decided placement needs more memory than some device has, places
/// the open nodes anew, at the least cost that the search finds, so that it
/// fits. Without `mayMove` nothing moves. Emits an error if it does not fit
/// then. Costs one pass over the values where memory cannot be short.
LogicalResult fitMemory(PlacementGraph &graph, bool mayMove, int64_t workLimit);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYLIMIT_H
