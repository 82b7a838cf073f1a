//===- IdleAnnotations.h - Annotations without an effect --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_ANNOTATE_IDLEANNOTATIONS_H
#define HETERO_ANALYSIS_PLACEMENT_ANNOTATE_IDLEANNOTATIONS_H

#include "Analysis/Placement/Graph/PlacementGraph.h"

namespace mlir::hetero {

/// Annotations where they mean nothing are not dropped in silence: a warning.
void warnOfIdleAnnotations(ModuleOp module, const PlacementGraph &graph);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_IDLEANNOTATIONS_H
