//===- Repetition.h - Operations made again instead of copied ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An open operation without side effects may be made on each device that needs
// it, where its operands then have to be as well. Most never are: a copy of
// their results is cheaper whatever is decided around them.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_REPETITION_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_REPETITION_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// True if making the operation of this open node again changes nothing but
/// where its results are.
bool isRepeatableByCost(const PlacementGraph &graph, NodeIndex node);

/// Leaves open again where cost made something again, or once.
Assignment reopenRepeated(Assignment assignment);

/// By node: whether every placement makes it somewhere. What may be made on
/// several devices may be needed nowhere.
SmallVector<uint8_t, 0>
findNeeded(const PlacementGraph &graph,
           llvm::function_ref<bool(NodeIndex)> mayBeBoth);

/// With two devices: replicates the open nodes that the least cost may make on
/// both, for the problem to choose among. Some least placement repeats none of
/// the others.
Assignment findRepetitions(Assignment start);

/// With more devices: makes decided nodes again, or once, where that lowers the
/// cost (hetero/Placement/Repetition.h).
Assignment repeatWhereCheaper(Assignment decided);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_REPETITION_H
