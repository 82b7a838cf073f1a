//===- LoadSearch.h - Divides work among devices -------------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search with a fixed amount of work, so that the same problem has the same
// solution everywhere, in time that is linear for large problems.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_LOADSEARCH_H
#define HETERO_SUPPORT_SOLVERS_LOADSEARCH_H

#include "hetero/Support/Solvers/LoadProblem.h"

namespace mlir::hetero {

/// The device of each item.
using LoadSolution = llvm::SmallVector<unsigned, 0>;

/// The best solution found, from these at least (one or more, complete) and
/// from slices of orders of the items.
LoadSolution searchLoads(const LoadProblem &problem,
                         llvm::ArrayRef<LoadSolution> starts);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_LOADSEARCH_H
