//===- CleanUp.h - Folds what code generation leaves ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last step of code generation for every kind of device.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_COMMON_CLEANUP_H
#define HETERO_CODEGEN_COMMON_CLEANUP_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Folds and removes what the other steps left in `root`.
LogicalResult cleanUpRegion(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_COMMON_CLEANUP_H
