//===- Fills.h - Operations that fill what they write -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_FILLS_H
#define HETERO_TRANSFORMS_BUFFERS_FILLS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// True if all that the operation does is to give each element of its one
/// destination, a tensor or a buffer, a value that was there before.
bool isFill(linalg::LinalgOp op);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_BUFFERS_FILLS_H
