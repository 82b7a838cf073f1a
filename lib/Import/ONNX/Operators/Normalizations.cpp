//===- Normalizations.cpp - Softmax and normalizations --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Emit/Layout.h"
#include "../Emit/Reduction.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// exp(x - max) over its sum, in the form that code generation fuses; or the
/// logarithm of that. Along one axis.
static Tensor softmax(NodeBuilder &n, const Tensor &x, int64_t axis,
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

/// A function along an axis; before opset 13, along all from the axis on.
template <Tensor (*function)(NodeBuilder &, const Tensor &, int64_t)>
static void buildAlongAxis(NodeBuilder &n) {
  ElementType type = n.in(0).type;
  Tensor x = castTo(n, n.in(0), getAccumulator(type));
  bool isOld = n.since() < 13;
  if (x.rank() == 0)
    return n.fail("its input has no dimensions");
  int64_t axis = n.getAxis("axis", isOld ? 1 : -1, x.rank());
  if (n.failed())
    return;
  if (!isOld)
    return n.set(0, castTo(n, function(n, x, axis), type));
  ArrayRef<OpFoldResult> sizes = x.sizes;
  Tensor rows = reshape(n, x,
                        {n.ix.product(sizes.take_front(axis)),
                         n.ix.product(sizes.drop_front(axis))});
  n.set(0, castTo(n, reshape(n, function(n, rows, 1), sizes), type));
}

static Tensor plainSoftmax(NodeBuilder &n, const Tensor &x, int64_t axis) {
  return softmax(n, x, axis, false);
}
static Tensor logSoftmax(NodeBuilder &n, const Tensor &x, int64_t axis) {
  return softmax(n, x, axis, true);
}

/// A vector of channels with dimensions after it.
static Tensor alignChannels(NodeBuilder &n, const Tensor &tensor,
                            int64_t rank) {
  SmallVector<int64_t> after;
  for (int64_t i = 2; i < rank; ++i)
    after.push_back(i - 1);
  return unsqueeze(n, tensor, after);
}

static void buildBatchNormalization(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  if (n.getBool("training_mode") || n.wants(1))
    return n.fail("training is not supported; export the model for inference");
  if (x.rank() < 2)
    return n.fail("its input has no channels");
  double epsilon = n.getFloat("epsilon", 1e-5f);
  ElementType wide = getAccumulator(x.type);
  SmallVector<Tensor> operands{castTo(n, x, wide)};
  for (unsigned i = 1; i < 5; ++i) {
    Tensor channel = n.in(i);
    if (channel.rank() != 1)
      return n.fail("input " + Twine(i) + " is no vector of channels");
    channel.sizes[0] = n.checkEqual(channel.sizes[0], x.sizes[1],
                                    "its inputs have unlike channels");
    operands.push_back(alignChannels(n, castTo(n, channel, wide), x.rank()));
  }
  Tensor made = elementwise(n, operands, [&](Scalars &s, ValueRange e) {
    Value variance = s.add(e[4], s.constantLike(e[4], epsilon));
    Value factor = s.mul(s.math<math::RsqrtOp>(variance), e[1]);
    return s.add(s.mul(s.sub(e[0], e[3]), factor), e[2]);
  });
  n.set(0, castTo(n, made, x.type));
}

void mlir::hetero::onnx::addNormalizations(OperatorTable &table) {
  table.add("Softmax", {1, 11, 13}, buildAlongAxis<plainSoftmax>);
  table.add("LogSoftmax", {1, 11, 13}, buildAlongAxis<logSoftmax>);
  table.add("BatchNormalization", {7, 9, 14, 15}, buildBatchNormalization);
}
