//===- FuseElementwise.h - Fuses elementwise operations ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second step of code generation for every kind of device. The body stays
// on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_COMMON_FUSEELEMENTWISE_H
#define HETERO_CODEGEN_COMMON_FUSEELEMENTWISE_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {
class ExecuteOp;

/// Fuses elementwise producers in `root` into their consumers and lets an
/// operation overwrite an input that nobody else reads.
LogicalResult fuseElementwise(Operation *root);

/// Lets elementwise operations of a region write their results to donated
/// arguments that they read and that nothing needs any more.
void overwriteDonated(ExecuteOp region);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_COMMON_FUSEELEMENTWISE_H
