//===- PlaceGreedily.h - Placement by bytes ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_PLACEGREEDILY_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_PLACEGREEDILY_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// Decides the open nodes by the bytes around them.
Assignment placeGreedily(Assignment start);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_PLACEGREEDILY_H
