//===- Reduction.h - Reductions along axes and of windows -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_REDUCTION_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_REDUCTION_H

#include "Contraction.h"

namespace mlir::hetero::onnx {

/// Combines an element with what was combined before it: (element, before).
using CombineBody =
    llvm::function_ref<Value(Scalars &s, Value element, Value before)>;

/// Which reduction, with its neutral element.
enum class Reduction { Sum, Product, Max, Min };

/// Reduces along axes (from 0 on). The result has the accumulator's type: f32
/// for narrow floats, whose elements are widened as they are read.
Tensor reduce(NodeBuilder &n, const Tensor &tensor, ArrayRef<int64_t> axes,
              bool keepDims, Reduction kind);
/// The same with a start and a body; `start` is a scalar of type `result`.
Tensor reduce(NodeBuilder &n, const Tensor &tensor, ArrayRef<int64_t> axes,
              bool keepDims, ElementType result, Value start,
              CombineBody combine);
/// The sum over the number of elements, in the accumulator's type.
Tensor mean(NodeBuilder &n, const Tensor &tensor, ArrayRef<int64_t> axes,
            bool keepDims);
/// The neutral element of a reduction.
Value getNeutral(NodeBuilder &n, ElementType type, Reduction kind);
/// A size, or a product of sizes, as a scalar tensor.
Tensor makeCount(NodeBuilder &n, ElementType type, OpFoldResult count);

/// The place of the largest or smallest element along an axis, as int64.
Tensor argReduce(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                 bool keepDims, bool isMax, bool takesLast);

/// The windows of a pool of `input` (N, C, ...) by the node's attributes.
std::optional<Window> readPool(NodeBuilder &n, const Tensor &input);
/// Pads an input so that it has all places of all windows.
Tensor padForWindows(NodeBuilder &n, const Tensor &input, const Window &window,
                     Value value);
/// Reduces windows of an input that is padded. Sums have the accumulator's
/// type.
Tensor pool(NodeBuilder &n, const Tensor &padded, const Window &window,
            Reduction kind);
/// The average of the places of each window: of those in the input, or, if
/// count_include_pad is set, also of those in its pads.
Tensor averagePool(NodeBuilder &n, const Tensor &input, const Window &window);
/// The largest elements of windows, and where they are in the tensor, as int64:
/// in row-major order, or with `isColumnMajor` with the last two dimensions
/// exchanged. The input is padded by `window`.
std::pair<Tensor, Tensor> poolWithPlaces(NodeBuilder &n, const Tensor &input,
                                         const Tensor &padded,
                                         const Window &window,
                                         bool isColumnMajor);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_REDUCTION_H
