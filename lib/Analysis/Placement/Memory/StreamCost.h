//===- StreamCost.h - What streaming constants costs ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_STREAMCOST_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_STREAMCOST_H

#include "MemoryUse.h"

namespace mlir::hetero {

/// For each device whose constants and values do not fit together: what copying
/// constants for each use takes in one run of the program, if those are kept
/// for which that takes the longest. `use` is that of a model that streams,
/// `plain` the same without. What becomes of them hetero-stream-constants
/// decides, when memory is laid out.
SmallVector<StreamedConstants, 0> estimateStreams(const MemoryUse &use,
                                                  const MemoryModel &plain);

/// Calls `visit` for each constant that a node reads from a device that it
/// could be streamed to, with the time of the copies for that node.
void forEachStreamableRead(
    const MemoryModel &model,
    llvm::function_ref<void(const PlacementRead &, DeviceIndex, int64_t)>
        visit);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_STREAMCOST_H
