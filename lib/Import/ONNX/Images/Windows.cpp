//===- Windows.cpp - Pools ------------------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Emit/Pool.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The windows of a pool by its attributes.
static std::optional<Window> readPool(NodeBuilder &n) {
  SmallVector<OpFoldResult> kernel;
  for (int64_t size : n.getInts("kernel_shape")) {
    if (size < 1)
      n.fail("its kernel has a size of " + Twine(size));
    kernel.push_back(n.ix.constant(size));
  }
  return n.failed() ? std::nullopt : readWindow(n, n.in(0).sizes, kernel);
}

static void buildMaxPool(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  std::optional<Window> window = readPool(n);
  if (!window)
    return;
  Tensor padded =
      padForWindows(n, x, *window, getNeutral(n, x.type, Reduction::Max));
  if (!n.wants(1))
    return n.set(0, pool(n, padded, *window, Reduction::Max));
  auto [best, places] =
      poolWithPlaces(n, x, padded, *window, n.getBool("storage_order"));
  n.set(0, best);
  n.set(1, places);
}

static void buildAveragePool(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  std::optional<Window> window = readPool(n);
  if (!window)
    return;
  Tensor padded = padForWindows(n, x, *window, n.scalar(x.type, 0));
  Tensor sums = pool(n, padded, *window, Reduction::Sum);
  Tensor made =
      divideByCounts(n, sums, x, *window, n.getBool("count_include_pad"));
  n.set(0, castTo(n, made, x.type));
}

/// The axes after a batch and channels.
static SmallVector<int64_t> getSpatialAxes(NodeBuilder &n) {
  SmallVector<int64_t> axes;
  for (int64_t axis = 2; axis < n.in(0).rank(); ++axis)
    axes.push_back(axis);
  return axes;
}

void mlir::hetero::onnx::addWindows(OperatorTable &table) {
  table.add("MaxPool", {1, 8, 10, 11, 12, 22}, buildMaxPool);
  table.add("AveragePool", {7, 10, 11, 19, 22}, buildAveragePool);
  table.add("GlobalAveragePool", {1, 22}, [](NodeBuilder &n) {
    n.set(0,
          castTo(n, mean(n, n.in(0), getSpatialAxes(n), true), n.in(0).type));
  });
  table.add("GlobalMaxPool", {1, 22}, [](NodeBuilder &n) {
    Tensor made = reduce(n, n.in(0), getSpatialAxes(n), true, Reduction::Max);
    n.set(0, castTo(n, made, n.in(0).type));
  });
}
