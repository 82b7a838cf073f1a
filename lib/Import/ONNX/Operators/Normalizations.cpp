//===- Normalizations.cpp - Softmax and normalizations --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Normalization.h"
#include "../Compose/Quantization.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

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

/// A vector of channels as it broadcasts to (N, C, ...); its size is checked.
static Tensor readChannels(NodeBuilder &n, unsigned input, const Tensor &x) {
  Tensor channels = n.in(input);
  if (channels.rank() != 1) {
    n.fail("input " + Twine(input) + " is no vector of channels");
    return channels;
  }
  channels.sizes[0] = n.checkEqual(channels.sizes[0], x.sizes[1],
                                   "its inputs have unlike channels");
  return alignToChannels(n, castTo(n, channels, x.type), x.rank());
}

/// Means and variances of the input, and those that run, moved towards them.
static void trainBatch(NodeBuilder &n, const Tensor &x,
                       MutableArrayRef<Tensor> channels) {
  SmallVector<int64_t> axes{0};
  for (int64_t axis = 2; axis < x.rank(); ++axis)
    axes.push_back(axis);
  double momentum = n.getFloat("momentum", 0.9f);
  Moments moments = measure(n, x, axes);
  const Tensor found[] = {moments.mean, moments.variance};
  for (auto [i, now] : llvm::enumerate(found)) {
    const Tensor &running = n.in(3 + i);
    Tensor current = reshape(n, now, {x.sizes[1]});
    Tensor moved = elementwise(
        n, {castTo(n, running, x.type), current},
        [&](Scalars &s, ValueRange e) {
          return s.add(s.mul(e[0], s.constantLike(e[0], momentum)),
                       s.mul(e[1], s.constantLike(e[1], 1 - momentum)));
        });
    n.set(1 + i, castTo(n, moved, running.type));
    // Before opset 14 those of the batch are results, too.
    n.set(3 + i, castTo(n, current, running.type));
    channels[2 + i] = alignToChannels(n, current, x.rank());
  }
}

static void buildBatchNormalization(NodeBuilder &n) {
  Tensor x = n.in(0);
  bool isTraining =
      n.since() < 14 ? n.numOutputs() > 1 : n.getBool("training_mode");
  if (x.rank() < 2)
    return n.fail("its input has no channels");
  double epsilon = n.getFloat("epsilon", 1e-5f);
  ElementType type = x.type;
  x = castTo(n, x, getAccumulator(type));
  SmallVector<Tensor> channels;
  for (unsigned i = 1; i < 5; ++i)
    channels.push_back(readChannels(n, i, x));
  if (n.failed())
    return;
  if (isTraining)
    trainBatch(n, x, channels);
  SmallVector<Tensor> operands{x};
  llvm::append_range(operands, channels);
  Tensor made = elementwise(n, operands, [&](Scalars &s, ValueRange e) {
    Value variance = s.add(e[4], s.constantLike(e[4], epsilon));
    Value factor = s.mul(s.math<math::RsqrtOp>(variance), e[1]);
    return s.add(s.mul(s.sub(e[0], e[3]), factor), e[2]);
  });
  n.set(0, castTo(n, made, type));
}

void mlir::hetero::onnx::addNormalizations(OperatorTable &table) {
  table.add("Softmax", {1, 11, 13}, buildAlongAxis<plainSoftmax>);
  table.add("LogSoftmax", {1, 11, 13}, buildAlongAxis<logSoftmax>);
  table.add("BatchNormalization", {7, 9, 14, 15}, buildBatchNormalization);
}
