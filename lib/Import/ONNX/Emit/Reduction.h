//===- Reduction.h - Reductions along axes ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Reductions along axes.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_REDUCTION_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_REDUCTION_H

#include "Elementwise.h"

namespace mlir::hetero::onnx {

/// Combines an element with what was combined before it: (element, before).
using CombineBody =
    llvm::function_ref<Value(Scalars &s, Value element, Value before)>;

/// Which reduction, with its neutral element.
enum class Reduction { Sum, Product, Max, Min };

/// The sizes without the axes, or with 1 there.
Sizes getReducedSizes(NodeBuilder &n, ArrayRef<OpFoldResult> sizes,
                      ArrayRef<int64_t> axes, bool keepDims);

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

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_REDUCTION_H
