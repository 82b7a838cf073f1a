//===- Normalization.h - Softmax and moments --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax, and numbers with mean 0 and variance 1, in the forms that code
// generation fuses.

#ifndef HETERO_LIB_IMPORT_ONNX_COMPOSE_NORMALIZATION_H
#define HETERO_LIB_IMPORT_ONNX_COMPOSE_NORMALIZATION_H

#include "../Emit/Layout.h"
#include "../Emit/Reduction.h"

namespace mlir::hetero::onnx {

/// exp(x - max) over its sum along an axis, or the logarithm of that.
Tensor softmax(NodeBuilder &n, const Tensor &x, int64_t axis,
               bool isLog = false);

/// Statistics of numbers along axes, which stay with size 1.
struct Moments {
  Tensor mean, variance;
  /// The numbers less their mean.
  Tensor centered;
};
Moments measure(NodeBuilder &n, const Tensor &x, ArrayRef<int64_t> axes);
/// 1 / sqrt(variance + epsilon)
Tensor invertDeviation(NodeBuilder &n, const Tensor &variance, double epsilon);
/// x^2, whose mean is what RMS normalization divides by.
Tensor square(NodeBuilder &n, const Tensor &x);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_COMPOSE_NORMALIZATION_H
