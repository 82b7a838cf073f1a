//===- Normalization.cpp - Softmax and moments ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Normalization.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Tensor onnx::softmax(NodeBuilder &n, const Tensor &x, int64_t axis,
                     bool isLog) {
  Tensor top = reduce(n, x, axis, true, Reduction::Max);
  Tensor moved = sub(n, x, top);
  Tensor powers = elementwise(
      n, {moved}, [](Scalars &s, ValueRange e) { return s.exp(e[0]); });
  Tensor sum = reduce(n, powers, axis, true, Reduction::Sum);
  if (!isLog)
    return div(n, powers, sum);
  return elementwise(n, {moved, sum}, [](Scalars &s, ValueRange e) {
    return s.sub(e[0], s.log(e[1]));
  });
}

Tensor onnx::square(NodeBuilder &n, const Tensor &x) { return mul(n, x, x); }

Moments onnx::measure(NodeBuilder &n, const Tensor &x, ArrayRef<int64_t> axes) {
  Tensor center = mean(n, x, axes, true);
  Tensor centered = sub(n, x, center);
  return {center, mean(n, square(n, centered), axes, true), centered};
}

Tensor onnx::invertDeviation(NodeBuilder &n, const Tensor &variance,
                             double epsilon) {
  return elementwise(n, {variance}, [&](Scalars &s, ValueRange e) {
    return s.math<math::RsqrtOp>(s.add(e[0], s.constantLike(e[0], epsilon)));
  });
}
