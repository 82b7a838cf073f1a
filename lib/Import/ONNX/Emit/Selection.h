//===- Selection.h - Sums, sorts and places of elements ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What results whose size depends on data are made of: indices, sums along an
// axis, sorts, and places of elements.

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_SELECTION_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_SELECTION_H

#include "Layout.h"
#include "Reduction.h"

namespace mlir::hetero::onnx {

/// Computes an element from its place, of type int64, and from elements of
/// operands that broadcast. `s` has the result's type.
Tensor generate(NodeBuilder &n, ElementType type, ArrayRef<Tensor> operands,
                ArrayRef<OpFoldResult> sizes, PlacedBody body);
/// 0, 1, 2, ... along an axis, of int64.
Tensor makePlaces(NodeBuilder &n, ArrayRef<OpFoldResult> sizes, int64_t axis);

/// Combines each element with all before it along an axis.
Tensor accumulate(
    NodeBuilder &n, const Tensor &tensor, int64_t axis, bool isExclusive,
    Value start,
    llvm::function_ref<Value(Scalars &s, Value before, Value next)> combine);
/// The sum of each element and all before it.
Tensor accumulate(NodeBuilder &n, const Tensor &tensor, int64_t axis);

/// Sorts along an axis; `places` move with the elements. Equal elements keep
/// their order, and nan is larger than all numbers.
std::pair<Tensor, Tensor> sort(NodeBuilder &n, const Tensor &tensor,
                               const Tensor &places, int64_t axis,
                               bool isDescending);
/// The tensor of `size` in which the elements of `tensor` stand at `places`,
/// which are a permutation.
Tensor permute(NodeBuilder &n, const Tensor &tensor, const Tensor &places);
/// The places, as int64, of the true elements of a vector.
Tensor findTrue(NodeBuilder &n, const Tensor &mask);
/// The elements at places (a vector) along an axis.
Tensor takeAt(NodeBuilder &n, const Tensor &tensor, const Tensor &places,
              int64_t axis);
/// All elements as a vector.
Tensor flatten(NodeBuilder &n, const Tensor &tensor);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_SELECTION_H
