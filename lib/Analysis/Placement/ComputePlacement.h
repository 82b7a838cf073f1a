//===- ComputePlacement.h - Decides every node ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_COMPUTEPLACEMENT_H
#define HETERO_ANALYSIS_PLACEMENT_COMPUTEPLACEMENT_H

#include "Analysis/Placement/Graph/PlacementGraph.h"

namespace mlir::hetero {

/// Decides every node. Emits an error for every annotation that cannot be met.
LogicalResult decidePlacement(ModuleOp module, PlacementGraph &graph,
                              const PlacementOptions &options);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_COMPUTEPLACEMENT_H
