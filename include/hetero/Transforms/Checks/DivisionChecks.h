//===- DivisionChecks.h - Run-time checks of integer divisions --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_CHECKS_DIVISIONCHECKS_H
#define HETERO_TRANSFORMS_CHECKS_DIVISIONCHECKS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Inserts an assertion before each division of integers that may be undefined,
/// in regions and outside. Returns their number.
int64_t insertDivisionChecks(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_CHECKS_DIVISIONCHECKS_H
