//===- InferUnits.h - Units of what cost decides ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_ANNOTATE_INFERUNITS_H
#define HETERO_ANALYSIS_PLACEMENT_ANNOTATE_INFERUNITS_H

#include "hetero/Analysis/Placement/Placement.h"

namespace mlir::hetero {

/// Gives decisions without a unit that of their neighbours on the device, where
/// these agree: of what makes their operands, else of what uses their results.
void inferUnits(MutableArrayRef<PlacementDecision> decisions);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_INFERUNITS_H
