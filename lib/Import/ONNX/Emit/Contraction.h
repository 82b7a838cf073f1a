//===- Contraction.h - Products and convolutions ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and convolutions as the named operations of linalg that rules and
// code generation know. Narrow floats are accumulated in f32.

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_CONTRACTION_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_CONTRACTION_H

#include "Layout.h"

namespace mlir::hetero::onnx {

/// A product as MatMul has it, of any ranks, with broadcast batches.
Tensor matmul(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs);

/// A convolution's or a pool's attributes, each with a number for each of the
/// spatial dimensions.
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

/// Strides, dilations and pads, by default none.
struct Steps {
  SmallVector<int64_t> strides, dilations, pads;
};
/// Reads them for a number of spatial dimensions.
std::optional<Steps> readSteps(NodeBuilder &n, size_t rank);
/// How far a kernel with dilations reaches.
OpFoldResult getExtent(Indices &ix, OpFoldResult kernel, int64_t dilation);
/// Divides what auto_pad adds to both ends: (low, high).
std::pair<OpFoldResult, OpFoldResult> halve(NodeBuilder &n, OpFoldResult total);

/// The maps of an input, a kernel and a result: each begins with loops of
/// `outer`, and goes on with those of spatial dimensions, from `places` on, and
/// of places in the kernel, which are the last, from `taps` on.
SmallVector<AffineMap> getWindowMaps(OpBuilder &b, const Window &window,
                                     unsigned places, unsigned taps,
                                     ArrayRef<SmallVector<unsigned>> outer);
/// A named operation over windows: a convolution, or a pool, whose kernel only
/// has sizes.
template <typename OpTy>
Tensor buildWindows(NodeBuilder &n, const Tensor &input, const Tensor &kernel,
                    const Window &window, const Tensor &start) {
  auto op = OpTy::create(n.b, n.loc, n.value(start).getType(),
                         ValueRange{n.value(input), n.value(kernel)},
                         n.value(start), n.b.getI64TensorAttr(window.strides),
                         n.b.getI64TensorAttr(window.dilations));
  return n.make(start.type, start.sizes, op->getResult(0));
}

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
Tensor startAtBias(NodeBuilder &n, ArrayRef<OpFoldResult> sizes,
                   ElementType type, const Tensor *bias);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_CONTRACTION_H
