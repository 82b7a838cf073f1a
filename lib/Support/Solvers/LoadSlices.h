//===- LoadSlices.h - Orders of items cut into slices --------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_LOADSLICES_H
#define HETERO_SUPPORT_SOLVERS_LOADSLICES_H

#include "hetero/Support/Solvers/LoadSearch.h"

namespace mlir::hetero {

/// Solutions in which each device has consecutive items of an order in which
/// items come after those whose results they read. What has no choice is where
/// `start` has it.
llvm::SmallVector<LoadSolution, 0> sliceOrders(const LoadProblem &problem,
                                               const LoadSolution &start);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_LOADSLICES_H
