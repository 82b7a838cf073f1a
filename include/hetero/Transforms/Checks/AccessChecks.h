//===- AccessChecks.h - Run-time checks of memory accesses ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_CHECKS_ACCESSCHECKS_H
#define HETERO_TRANSFORMS_CHECKS_ACCESSCHECKS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Inserts before each access to memory that a program has itself, and to
/// vectors of memory or tensors, the assertions that it is there. Returns their
/// number.
int64_t insertAccessChecks(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_CHECKS_ACCESSCHECKS_H
