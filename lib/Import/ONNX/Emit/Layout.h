//===- Layout.h - Operations that move elements -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that only move elements: reshapes, transposes, slices and ranges
// as Slice and Split take them, pads, concatenations, gathers.

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_LAYOUT_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_LAYOUT_H

#include "Elementwise.h"

namespace mlir::hetero::onnx {

/// True if the products are known to be equal.
bool haveEqualProducts(ArrayRef<OpFoldResult> lhs, ArrayRef<OpFoldResult> rhs);
/// The quotient of two products; equal factors cancel. The remainder is 0, or
/// nobody asks for it.
OpFoldResult divideProducts(Indices &ix, ArrayRef<OpFoldResult> dividend,
                            ArrayRef<OpFoldResult> divisor);
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

/// Sizes that are added to both ends of axes, or cut where they are negative.
struct Margins {
  Margins(NodeBuilder &n, int64_t rank)
      : low(rank, n.ix.constant(0)), high(low) {}
  Sizes low, high;
};
/// Cuts what is negative, which is 0 then.
Tensor cutMargins(NodeBuilder &n, const Tensor &tensor, Margins &margins);
/// Cuts what is negative, and pads what is positive with a scalar.
Tensor applyMargins(NodeBuilder &n, const Tensor &tensor, Margins margins,
                    Value value);

/// A part of one dimension: `size` elements from `start` on, each `step`
/// (not 0) after the other.
struct AxisRange {
  OpFoldResult start, size;
  int64_t step = 1;
};
/// The range from a start to an end, as in Python: negative ones count from the
/// end, and what is outside is cut.
AxisRange makeRange(NodeBuilder &n, OpFoldResult start, OpFoldResult end,
                    int64_t step, OpFoldResult size);
/// All of each dimension.
SmallVector<AxisRange> getWholeRanges(NodeBuilder &n, const Tensor &tensor);
/// Takes ranges of all dimensions. Of a vector of known elements the elements
/// stay known.
Tensor takeRanges(NodeBuilder &n, const Tensor &tensor,
                  ArrayRef<AxisRange> ranges);
/// Takes one range.
Tensor sliceKnownAxis(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                      OpFoldResult offset, OpFoldResult size);

/// Computes the place in `source` from the place in the result.
using PlaceBody = llvm::function_ref<SmallVector<Value>(
    OpBuilder &b, Location loc, ValueRange indices, ValueRange elements)>;
/// Reads an element of `source` for each element of the result, at the place
/// that `body` computes from its indices and from the elements of `operands`,
/// which broadcast to the result's sizes.
Tensor gather(NodeBuilder &n, const Tensor &source, ArrayRef<Tensor> operands,
              ArrayRef<OpFoldResult> sizes, PlaceBody body);
/// The same where the place along each axis is that of an index of the result.
Tensor gatherByAxis(
    NodeBuilder &n, const Tensor &source, ArrayRef<OpFoldResult> sizes,
    llvm::function_ref<Value(Scalars &s, size_t axis, Value index)> body);
/// An index that may be negative, from the end: an index from 0 on. The program
/// stops where it is outside of the size.
Value wrapIndex(OpBuilder &b, Location loc, Value index, Value size);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_LAYOUT_H
