//===- Layout.h - Operations that move elements -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Operations that only move elements: reshapes, transposes, slices, pads,
// concatenations, gathers.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_LAYOUT_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_LAYOUT_H

#include "Elementwise.h"

namespace mlir::hetero::onnx {

/// The same elements in other sizes, whose products are equal: the caller
/// checks that where it is not known. Collapses and expands where dimensions
/// match, else both by way of a vector.
Tensor reshape(NodeBuilder &n, const Tensor &tensor,
               ArrayRef<OpFoldResult> sizes);
/// Adds dimensions of size 1 at these places of the result, ascending.
Tensor unsqueeze(NodeBuilder &n, const Tensor &tensor, ArrayRef<int64_t> axes);
/// Takes off dimensions, which have size 1.
Tensor squeeze(NodeBuilder &n, const Tensor &tensor, ArrayRef<int64_t> axes);
/// Dimension `i` of the result is `permutation[i]` of the tensor.
Tensor transpose(NodeBuilder &n, const Tensor &tensor,
                 ArrayRef<int64_t> permutation);
/// (N, ..., C) as (N, C, ...) if the channels are last, else the other way.
Tensor moveChannels(NodeBuilder &n, const Tensor &tensor, bool areLast);
/// Elements from `offsets` on, `sizes` of them, each `strides` (positive
/// constants) after the other.
Tensor slice(NodeBuilder &n, const Tensor &tensor,
             ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
             ArrayRef<OpFoldResult> strides = {});
/// Slices one dimension.
Tensor sliceAxis(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                 OpFoldResult offset, OpFoldResult size);
/// Adds elements of `value`, a scalar of the storage type. Not negative.
Tensor pad(NodeBuilder &n, const Tensor &tensor, ArrayRef<OpFoldResult> low,
           ArrayRef<OpFoldResult> high, Value value);
/// Joins tensors along an axis. Other sizes are checked.
Tensor concat(NodeBuilder &n, ArrayRef<Tensor> tensors, int64_t axis);

/// Computes each element of a result from its indices and the elements of
/// operands, which broadcast to its sizes.
using ElementAt = llvm::function_ref<Value(
    OpBuilder &b, Location loc, ValueRange indices, ValueRange elements)>;
Tensor computeAt(NodeBuilder &n, ElementType type, ArrayRef<Tensor> operands,
                 ArrayRef<OpFoldResult> sizes, ElementAt body);

/// Computes the place in `source` from the place in the result.
using PlaceBody = llvm::function_ref<SmallVector<Value>(
    OpBuilder &b, Location loc, ValueRange indices, ValueRange elements)>;
/// Reads an element of `source` for each element of the result, at the place
/// that `body` computes from its indices and from the elements of `operands`,
/// which broadcast to the result's sizes.
Tensor gather(NodeBuilder &n, const Tensor &source, ArrayRef<Tensor> operands,
              ArrayRef<OpFoldResult> sizes, PlaceBody body);
/// An index that may be negative, from the end: an index from 0 on. The program
/// stops where it is outside of the size.
Value wrapIndex(OpBuilder &b, Location loc, Value index, Value size);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_LAYOUT_H
