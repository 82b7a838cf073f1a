//===- IndexChecks.h - Run-time checks of single accesses -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_CHECKS_INDEXCHECKS_H
#define HETERO_TRANSFORMS_CHECKS_INDEXCHECKS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Inserts before what a region accesses once per element or in a loop the
/// assertions that it is there: accesses in bodies of linalg operations and in
/// control flow. Returns their number.
int64_t insertIndexChecks(ExecuteOp region);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_CHECKS_INDEXCHECKS_H
