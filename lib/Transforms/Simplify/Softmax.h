//===- Softmax.h - Softmax as importers write it ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SIMPLIFY_SOFTMAX_H
#define HETERO_TRANSFORMS_SIMPLIFY_SOFTMAX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::hetero {

/// Operations that have been found to be parts of one.
using Parts = llvm::SmallSetVector<Operation *, 16>;

/// What the softmax along the last dimension is taken of, if `value` is one:
///
///   %m = maximum of rows of %x
///   %e = exp(%x - %m)
///   %s = sum of rows of %e
///   %value = %e / %s
///
/// Adds these operations, and the broadcasts and views between them, to
/// `parts`. Null if the value is anything else.
Value matchSoftmax(Value value, Parts &parts);

/// The only operation in the body of an elementwise operation with one result;
/// null if there are more, or none.
Operation *getOnlyOperation(linalg::LinalgOp op);

/// The operand that the `number`th operand of that operation is an element of;
/// null if it is none.
OpOperand *getReadOperand(linalg::LinalgOp op, Operation *inner,
                          unsigned number);

/// True if the tensor is filled with `number`.
bool isFilledWith(Value tensor, double number);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SIMPLIFY_SOFTMAX_H
