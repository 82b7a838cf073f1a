//===- ComputePlacement.h - Decides where operations run --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_DECIDE_COMPUTEPLACEMENT_H
#define HETERO_ANALYSIS_PLACEMENT_DECIDE_COMPUTEPLACEMENT_H

#include "hetero/Analysis/Blocks/BlockTree.h"
#include "hetero/Analysis/Placement/Placement.h"

namespace mlir::hetero {
struct PlacementGraph;
struct PlacementSolution;

/// Decides where every operation of the module's functions runs. Emits an
/// error for every annotation that cannot be met. The tree is the module's.
FailureOr<Placement> computePlacement(ModuleOp module, const Topology &topology,
                                      const BlockTree &tree,
                                      const PlacementOptions &options);

/// Reports what annotations leave open though they ask for it: operations that
/// they pull to several devices, and those that cost the same on another
/// device. For a module that computePlacement() has placed and nobody has
/// written to; what that has reported is not said again. `mode` is that of
/// operations around which nothing says another; fails if one is an error.
LogicalResult reportOpenChoices(ModuleOp module, const Topology &topology,
                                const BlockTree &tree,
                                const PlacementOptions &options,
                                ConflictMode mode);

/// Decides every node of a graph. Emits an error for every annotation that
/// cannot be met.
FailureOr<PlacementSolution> decidePlacement(ModuleOp module,
                                             PlacementGraph &graph,
                                             const PlacementOptions &options);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_DECIDE_COMPUTEPLACEMENT_H
