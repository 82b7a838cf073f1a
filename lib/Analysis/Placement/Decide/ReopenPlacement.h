//===- ReopenPlacement.h - What a placed module left open -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_DECIDE_REOPENPLACEMENT_H
#define HETERO_ANALYSIS_PLACEMENT_DECIDE_REOPENPLACEMENT_H

#include "Analysis/Placement/Graph/PlacementGraph.h"

namespace mlir::hetero {

/// The problem that hetero-place was given.
struct ReopenedPlacement {
  PlacementGraph graph;
  /// No placement that keeps the annotations costs less.
  int64_t lowerBound;
};

/// Decides anew what cost decided in a placed module. The graph is that of the
/// module, nothing decided. Nothing if the annotations cannot be met any more.
std::optional<ReopenedPlacement> reopenPlacement(ModuleOp module,
                                                 const PlacementGraph &graph);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_DECIDE_REOPENPLACEMENT_H
