//===- Losses.cpp - Losses ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Formulas.h"
#include "../Emit/Reduction.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The loss of each target: minus the weighted log probability of its class;
/// then their sum, or mean by weights. Those that are ignored have no weight.
static void setLoss(NodeBuilder &n, const Tensor &logs) {
  Tensor target = n.in(1);
  if (logs.rank() < 2 || target.rank() + 1 != logs.rank() ||
      (n.has(2) && n.in(2).rank() != 1))
    n.fail("its inputs do not fit each other");
  for (int64_t axis = 0; axis < target.rank() && !n.failed(); ++axis)
    target.sizes[axis] =
        n.checkEqual(target.sizes[axis], logs.sizes[axis ? axis + 1 : 0],
                     "its targets are not as many as its scores");
  if (n.failed())
    return;
  target = materialize(n, target);
  Tensor source = materialize(n, logs);
  std::optional<Tensor> classes;
  if (n.has(2))
    classes = materialize(n, n.in(2));
  std::optional<double> ignored;
  if (n.findAttr("ignore_index"))
    ignored = double(n.getInt("ignore_index", 0));
  auto isIgnored = [&](Number chosen) {
    return ignored ? chosen == *ignored : Number(0);
  };
  Tensor weights =
      compute(n, logs.type, target.sizes, target, [&](const Loop &loop) {
        Number skips = isIgnored(loop.in[0]);
        Number chosen = select(skips, 0.0, loop.in[0]);
        Number weight = classes ? loop.read(*classes, chosen) : Number(1);
        Number unused = 0;
        return select(skips, unused, weight);
      });
  Tensor losses = compute(
      n, logs.type, target.sizes, {target, weights}, [&](const Loop &loop) {
        SmallVector<Number> place(loop.at);
        Number skips = isIgnored(loop.in[0]), unused = 0;
        place.insert(place.begin() + 1, select(skips, 0.0, loop.in[0]));
        return select(skips, unused,
                      Number(0) - loop.read(source, place) * loop.in[1]);
      });
  ElementType type = n.in(0).type;
  StringRef reduction = n.getString("reduction", "mean");
  if (reduction == "none")
    return n.set(0, castTo(n, losses, type));
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < target.rank(); ++axis)
    axes.push_back(axis);
  Tensor sum = reduce(n, losses, axes, false, Reduction::Sum);
  if (reduction == "mean")
    sum = div(n, sum, reduce(n, weights, axes, false, Reduction::Sum));
  n.set(0, castTo(n, sum, type));
}

static void buildSoftmaxCrossEntropyLoss(NodeBuilder &n) {
  Tensor x = castTo(n, n.in(0), getAccumulator(n.in(0).type));
  if (x.rank() < 2)
    return n.fail("its scores have no classes");
  Tensor top = reduce(n, x, 1, true, Reduction::Max);
  Tensor shifted = sub(n, x, top);
  Tensor powers = elementwise(
      n, shifted, [](Scalars &s, ValueRange e) { return s.exp(e[0]); });
  Tensor sums =
      elementwise(n, reduce(n, powers, 1, true, Reduction::Sum),
                  [](Scalars &s, ValueRange e) { return s.log(e[0]); });
  Tensor logs = sub(n, shifted, sums);
  if (n.wants(1))
    n.set(1, castTo(n, logs, n.in(0).type));
  setLoss(n, logs);
}

void mlir::hetero::onnx::addLosses(OperatorTable &table) {
  table.add("NegativeLogLikelihoodLoss", {12, 13, 22}, [](NodeBuilder &n) {
    setLoss(n, castTo(n, n.in(0), getAccumulator(n.in(0).type)));
  });
  table.add("SoftmaxCrossEntropyLoss", {12, 13}, buildSoftmaxCrossEntropyLoss);
}
