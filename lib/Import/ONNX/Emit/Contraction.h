//===- Contraction.h - Products and convolutions ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Products and convolutions as the named operations of linalg that rules and
// code generation know. Narrow floats are accumulated in f32.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_CONTRACTION_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_CONTRACTION_H

#include "Layout.h"

namespace mlir::hetero::onnx {

/// The type of sums of products: the accumulator's, and i32 of integers of at
/// most 16 bits, which may be of unlike types.
ElementType getProductType(const Tensor &lhs, const Tensor &rhs);

/// A product as MatMul has it, of any ranks, with broadcast batches.
Tensor matmul(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs);

/// Attributes of a convolution or a pool, with a number for each of the spatial
/// dimensions.
struct Window {
  SmallVector<OpFoldResult> kernel;
  SmallVector<int64_t> strides, dilations;
  SmallVector<OpFoldResult> low, high;
  /// Sizes of the result's spatial dimensions.
  Sizes sizes;
};

/// Reads kernel_shape, strides, dilations, auto_pad, pads and ceil_mode, and
/// computes the pads and the sizes of the result. `input` has a batch and
/// channels before its spatial dimensions. With ceil_mode, windows that start
/// in the pad at the end are left out.
std::optional<Window> readWindow(NodeBuilder &n, ArrayRef<OpFoldResult> input,
                                 ArrayRef<OpFoldResult> kernel);

/// A convolution by its attributes.
struct Convolution {
  Window window;
  int64_t groups;
  /// The input with its pads.
  Tensor padded;
  /// The sizes of the result.
  Sizes sizes;
};

/// Reads the attributes of a convolution and checks that its operands fit.
/// `zero` fills the pads.
std::optional<Convolution> readConvolution(NodeBuilder &n, const Tensor &input,
                                           const Tensor &weights, Value zero);
/// A convolution of NC... with MC..., accumulated on `start` (N, M, ...), which
/// has the product's type.
Tensor convolve(NodeBuilder &n, const Convolution &convolution,
                const Tensor &weights, const Tensor &start);
/// The start of a convolution's sums: the bias for each channel, or zeros.
Tensor startAtBias(NodeBuilder &n, const Convolution &convolution,
                   ElementType type, const Tensor *bias);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_CONTRACTION_H
