//===- WidenSums.h - Sums of narrow floats are f32 --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions, convolutions and sums of f16 and bf16 accumulate in f32 on
// every device: the initial value and what is added are made wider, products
// that are added as well, and the result is rounded once. Other reductions that
// round, such as products, are treated alike; maxima round nothing.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_ARITHMETIC_WIDENSUMS_H
#define HETERO_CODEGEN_ARITHMETIC_WIDENSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// The value, a float, in another float type.
Value convertFloat(OpBuilder &builder, Location loc, Value value, Type type);

/// The elements of tensor `from` in the element type of `to`, and in its place.
Value convertElements(OpBuilder &builder, Location loc, Value from, Value to);

/// Makes the body take the old values of its sums of narrow floats, and yield
/// the new ones, in f32, although the elements of its results are narrow: for
/// code that holds sums in registers. Returns the numbers of these results.
SmallVector<unsigned> widenBody(linalg::LinalgOp op);

/// The same, but with conversions at both ends of each body in `root`: what is
/// fused into it later is computed as it was.
void widenTerms(Operation *root);

/// Writes results of `op` that are sums to tensors of a wider type, if all that
/// is done with their old values has a form in it.
void widenSums(RewriterBase &rewriter, linalg::GenericOp op,
               ArrayRef<unsigned> sums, FloatType type);

/// The generic operations in `root` whose sums are narrow write them to tensors
/// of f32, which others make from the initial values and turn into the results.
LogicalResult widenSums(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_ARITHMETIC_WIDENSUMS_H
