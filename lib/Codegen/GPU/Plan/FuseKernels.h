//===- FuseKernels.h - What a product's kernel does besides -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_FUSEKERNELS_H
#define HETERO_CODEGEN_GPU_PLAN_FUSEKERNELS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// The operations around a product that its kernel can do: the one that fills
/// its result before, and the elementwise one that works on it in place
/// afterwards. Either may be null.
struct ProductFusion {
  linalg::LinalgOp fill, epilogue;
  /// What the fill writes.
  Value filler;
};

/// What can be fused with `product`, which has one result. Changes nothing.
ProductFusion findProductFusion(linalg::LinalgOp product);

/// True for what another operation may be moved across.
bool isTransparent(Operation *op);

/// The value that an operation writes everywhere; null for others, and where a
/// generic operation takes it as an operand.
Value getFiller(linalg::LinalgOp op);

/// True if both buffers certainly share no byte.
bool isDistinct(Value a, Value b);

/// The operation that fills `buffer` before `user` accesses it, if nothing
/// accesses it between them; else null.
linalg::LinalgOp findFill(linalg::LinalgOp user, Value buffer);

/// Replaces a copy of a buffer that was just filled by another fill.
void fillInsteadOfCopy(linalg::CopyOp copy);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_FUSEKERNELS_H
