//===- Repetition.h - What is made again instead of copied ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_PLACEMENT_REPETITION_H
#define HETERO_PLACEMENT_REPETITION_H

#include "hetero/Placement/PlacementAssignment.h"

namespace mlir::hetero {

/// Has operations that may be made on several devices made once, or on each
/// device that needs them, while a change of one of them makes the sum of all
/// times less. All nodes are decided; memory is not looked at.
PlacementAssignment repeatWhereCheaper(const PlacementProblem &problem,
                                       PlacementAssignment decided);

} // namespace mlir::hetero

#endif // HETERO_PLACEMENT_REPETITION_H
