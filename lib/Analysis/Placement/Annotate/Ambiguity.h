//===- Ambiguity.h - What annotations pull both ways ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_ANNOTATE_AMBIGUITY_H
#define HETERO_ANALYSIS_PLACEMENT_ANNOTATE_AMBIGUITY_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// Reports operations that nobody places, between annotations of several
/// devices: one of each group of those that are joined by values, with the way
/// to the next annotation of each device. `fixed` has what annotations decide,
/// `mode` is that of operations around which nothing says another. Fails if one
/// is an error.
LogicalResult reportAmbiguity(const Assignment &fixed, ConflictMode mode);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_AMBIGUITY_H
