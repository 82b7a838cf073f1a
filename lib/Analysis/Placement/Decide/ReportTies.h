//===- ReportTies.h - Choices that cost nothing -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_DECIDE_REPORTTIES_H
#define HETERO_ANALYSIS_PLACEMENT_DECIDE_REPORTTIES_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// Reports operations that cost decided, if only among the devices that their
/// annotations admit, and that could stand on another device for the same cost,
/// alone or together with others. `mode` is that of operations around which
/// nothing says another. Fails if one is an error.
LogicalResult reportTies(const Assignment &decided, ConflictMode mode,
                         const PlacementOptions &options);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_DECIDE_REPORTTIES_H
