//===- ResultOrder.h - Results in another order of dimensions ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For rewritings that compute a sum in an order of dimensions that its vectors
// like better than that of the program.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_LAYOUT_RESULTORDER_H
#define HETERO_CODEGEN_CPU_LAYOUT_RESULTORDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// A tensor of this shape, filled with `value`.
Value createFilled(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                   TypedAttr value);

/// The elements of `sums` in the order of the result of `op`, combined with
/// what its destination holds before, unless that changes nothing. `map` says
/// where in `sums` each element of the result is. Replaces `op`.
void replaceBySums(RewriterBase &rewriter, linalg::GenericOp op, Value sums,
                   AffineMap map);

/// Makes one loop of those of elementwise operations that read something in
/// another order than they write.
LogicalResult collapseTransposes(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_LAYOUT_RESULTORDER_H
