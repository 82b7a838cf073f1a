//===- FitCandidates.h - Placements that fit, from numbers ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_FITCANDIDATES_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_FITCANDIDATES_H

#include "Analysis/Placement/Graph/Assignment.h"
#include "MemoryModel.h"
#include "hetero/Placement/FitSearch.h"

namespace mlir::hetero {

/// Placements within the memory of devices, the better first, found from
/// `starts`, of which some may fit. What is replicated is so in all of them.
SmallVector<Assignment, 0> findFittingPlacements(const MemoryModel &memory,
                                                 ArrayRef<Assignment> starts,
                                                 SearchGoal goal);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_FITCANDIDATES_H
