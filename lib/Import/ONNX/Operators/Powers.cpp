//===- Powers.cpp - Pools and norms of powers -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Emit/Formulas.h"
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
  for (int64_t size : n.getInts("kernel_shape"))
    kernel.push_back(n.ix.constant(size));
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

/// x / (bias + alpha / size * sum of squares of channels around it) ^ beta
static void buildLRN(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t size = n.getInt("size", 0);
  if (x.rank() < 2 || size < 1)
    return n.fail("its input has less than 2 dimensions, or its size is " +
                  Twine(size));
  Indices &ix = n.ix;
  OpFoldResult one = ix.constant(1), zero = ix.constant(0);
  OpFoldResult rest = ix.product(ArrayRef(x.sizes).drop_front(2));
  Tensor squares =
      reshape(n, raise(n, x, 2), {x.sizes[0], one, x.sizes[1], rest});
  Window window{{ix.constant(size), one},
                {1, 1},
                {1, 1},
                {ix.constant((size - 1) / 2), zero},
                {ix.constant(size / 2), zero},
                {x.sizes[1], rest}};
  Tensor padded = padForWindows(n, squares, window, n.scalar(squares.type, 0));
  Tensor sums = reshape(n, pool(n, padded, window, Reduction::Sum), x.sizes);
  double factor = n.getFloat("alpha", 1e-4f) / double(size);
  double beta = n.getFloat("beta", 0.75), bias = n.getFloat("bias", 1);
  n.set(0, compute(n, x.type, x.sizes, {x, sums}, [&](const Loop &loop) {
          return loop.in[0] / pow(loop.in[1] * factor + bias, beta);
        }));
}

void mlir::hetero::onnx::addPowers(OperatorTable &table) {
  table.add("LpPool", {2, 11, 18, 22}, buildLpPool);
  table.add("GlobalLpPool", {2, 22}, buildGlobalLpPool);
  table.add("LRN", {1, 13}, buildLRN);
}
