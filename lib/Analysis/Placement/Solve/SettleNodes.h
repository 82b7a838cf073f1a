//===- SettleNodes.h - Nodes that copies do not matter to -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_SETTLENODES_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_SETTLENODES_H

#include "PairChoice.h"

namespace mlir::hetero {

/// Decides the open nodes that stand on one of the two devices whatever else is
/// decided. True if there are any.
bool settleNodes(PairChoice &choice);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_SETTLENODES_H
