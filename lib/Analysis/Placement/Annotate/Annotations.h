//===- Annotations.h - What leaves no choice --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_ANNOTATE_ANNOTATIONS_H
#define HETERO_ANALYSIS_PLACEMENT_ANNOTATE_ANNOTATIONS_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// True if the module was placed before and stays as it is.
bool keepsPlacement(ModuleOp module, const PlacementOptions &options);

/// Decides, in order of priority, what was placed before, what annotations and
/// copies by the user say, what only the host runs, and the default. The rest
/// is open, or made wherever it is needed. Emits an error for every annotation
/// that cannot be met.
FailureOr<Assignment> decideByAnnotations(ModuleOp module,
                                          PlacementGraph &graph,
                                          const PlacementOptions &options);

/// An error for every copy by the user whose source is elsewhere than it says.
LogicalResult checkEndsOfCopies(const Assignment &assignment);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_ANNOTATIONS_H
