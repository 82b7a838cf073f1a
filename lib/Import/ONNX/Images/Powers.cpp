//===- Powers.cpp - Pools and norms of powers -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Compose/Formulas.h"
#include "../Emit/Pool.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// Powers of absolute numbers, in the accumulator's type.
static Tensor raise(NodeBuilder &n, const Tensor &x, double exponent) {
  return compute(n, getAccumulator(x.type), x.sizes, x, [&](const Loop &loop) {
    if (exponent == 2)
      return loop.in[0] * loop.in[0];
    Number absolute = abs(loop.in[0]);
    return exponent == 1 ? absolute : pow(absolute, exponent);
  });
}

/// Roots of sums of powers, in another type.
static Tensor takeRoot(NodeBuilder &n, const Tensor &sums, double exponent,
                       ElementType type) {
  return compute(n, type, sums.sizes, sums, [&](const Loop &loop) {
    if (exponent == 1)
      return loop.in[0];
    return exponent == 2 ? sqrt(loop.in[0]) : pow(loop.in[0], 1 / exponent);
  });
}

static void buildLpPool(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  SmallVector<OpFoldResult> kernel;
  for (int64_t size : n.getInts("kernel_shape")) {
    if (size < 1)
      return n.fail("its kernel has a size of " + Twine(size));
    kernel.push_back(n.ix.constant(size));
  }
  std::optional<Window> window = readWindow(n, x.sizes, kernel);
  if (!window)
    return;
  double exponent = n.getInt("p", 2);
  Tensor powers = raise(n, x, exponent);
  Tensor padded = padForWindows(n, powers, *window, n.scalar(powers.type, 0));
  n.set(0, takeRoot(n, pool(n, padded, *window, Reduction::Sum), exponent,
                    x.type));
}

static void buildGlobalLpPool(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  SmallVector<int64_t> axes;
  for (int64_t axis = 2; axis < x.rank(); ++axis)
    axes.push_back(axis);
  double exponent = n.getInt("p", 2);
  Tensor powers = raise(n, x, exponent);
  n.set(0, takeRoot(n, reduce(n, powers, axes, true, Reduction::Sum), exponent,
                    x.type));
}

void mlir::hetero::onnx::addPowers(OperatorTable &table) {
  table.add("LpPool", {2, 11, 18, 22}, buildLpPool);
  table.add("GlobalLpPool", {2, 22}, buildGlobalLpPool);
}
