//===- Products.h - Sums of products of two tensors -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SIMPLIFY_PRODUCTS_H
#define HETERO_TRANSFORMS_SIMPLIFY_PRODUCTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// True for sums of products of two tensors of f32, and of nothing else.
bool isProduct(linalg::LinalgOp op);
/// The same of two tensors of f16 or bf16, with sums of f32.
bool isNarrowProduct(linalg::LinalgOp op);
/// All of f32 in the operation, in the order of the walk.
SmallVector<linalg::LinalgOp> collectProducts(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SIMPLIFY_PRODUCTS_H
