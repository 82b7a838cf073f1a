//===- DecidedPart.h - What every placement pays ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_DECIDEDPART_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_DECIDEDPART_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// What every placement that keeps what is not open pays at least: the times of
/// what is decided and the copies between, and each open node where it is the
/// fastest. In time that is near-linear in the graph, however many devices
/// there are; all of the cost where nothing is open.
int64_t boundDecidedPart(const Assignment &decided);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_DECIDEDPART_H
