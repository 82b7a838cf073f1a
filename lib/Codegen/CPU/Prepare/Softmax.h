//===- Softmax.h - Softmax with products for divisions ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_SOFTMAX_H
#define HETERO_CODEGEN_CPU_PREPARE_SOFTMAX_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Takes each linalg.softmax apart, with a product where upstream divides.
LogicalResult decomposeSoftmax(Operation *root);

/// Lets the products of softmax with a matrix be multiplied by the reciprocals
/// of the sums, instead of softmax's elements.
LogicalResult normalizeProducts(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_SOFTMAX_H
