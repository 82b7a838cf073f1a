//===- ExpandElementwise.h - Loops of what comes after groups --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_EXPANDELEMENTWISE_H
#define HETERO_CODEGEN_CPU_PREPARE_EXPANDELEMENTWISE_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Elementwise operations on a contraction whose dimensions have been joined
/// get the contraction's dimensions, so that they can share its tiles.
LogicalResult expandElementwise(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_EXPANDELEMENTWISE_H
