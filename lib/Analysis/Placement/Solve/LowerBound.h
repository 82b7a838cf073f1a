//===- LowerBound.h - What no placement can be cheaper than -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_LOWERBOUND_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_LOWERBOUND_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// A lower bound of the price of every placement that keeps what is not open.
/// The decided placement costs `cost`.
int64_t computeLowerBound(Assignment decided, int64_t cost, int64_t workLimit);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_LOWERBOUND_H
