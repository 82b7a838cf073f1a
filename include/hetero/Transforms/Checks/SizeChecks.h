//===- SizeChecks.h - Checks of dynamic sizes -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_CHECKS_SIZECHECKS_H
#define HETERO_TRANSFORMS_CHECKS_SIZECHECKS_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Inserts before a region the assertions that its operations need about
/// dynamic sizes and parts of tensors. Returns their number.
int64_t insertSizeChecks(ExecuteOp region);

/// The same before one operation outside of regions.
int64_t insertSizeChecks(Operation *op);

/// The same before all operations on tensors that are outside of regions.
int64_t insertSizeChecks(ModuleOp module);

/// The same before the operations of tm_tensor, which become loops that rely on
/// it, in regions and outside.
int64_t insertOperandChecks(ModuleOp module);

/// "linalg.add at f.mlir:3:8".
std::string describe(Operation *op);

/// Lets the operation be described by the name of what the user wrote.
void setDescribedName(Operation *op, OperationName name);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_CHECKS_SIZECHECKS_H
