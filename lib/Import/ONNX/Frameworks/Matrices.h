//===- Matrices.h - Batches of matrices -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches of matrices that operators of linear algebra take and give.

#ifndef HETERO_LIB_IMPORT_ONNX_FRAMEWORKS_MATRICES_H
#define HETERO_LIB_IMPORT_ONNX_FRAMEWORKS_MATRICES_H

#include "../NodeBuilder.h"

namespace mlir::hetero::onnx {

/// A batch of matrices (batch, rows, columns) in the type that sums have.
struct Matrices {
  Tensor tensor;
  Sizes outer;

  OpFoldResult batch() const { return tensor.sizes[0]; }
  OpFoldResult rows() const { return tensor.sizes[1]; }
  OpFoldResult columns() const { return tensor.sizes[2]; }
};

/// Matrices of an input; nullopt after an error.
std::optional<Matrices> readMatrices(NodeBuilder &n, unsigned input,
                                     bool isSquare);
/// The matrices, or what there is for each of them, with their outer sizes and
/// in the type of the input.
Tensor restore(NodeBuilder &n, const Matrices &of, const Tensor &tensor,
               ElementType type);
/// One number everywhere.
Tensor fill(NodeBuilder &n, ElementType type, ArrayRef<OpFoldResult> sizes,
            double number);
/// The unit matrix, of these sizes, once for each of a batch.
Tensor makeUnit(NodeBuilder &n, ElementType type, ArrayRef<OpFoldResult> sizes);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_FRAMEWORKS_MATRICES_H
