//===- Windows.cpp - Pools ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Formulas.h"
#include "../Emit/Reduction.h"
#include "../OperatorTable.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

static void buildMaxPool(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  std::optional<Window> window = readPool(n, x);
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
  if (std::optional<Window> window = readPool(n, x))
    n.set(0, castTo(n, averagePool(n, x, *window), x.type));
}

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
  std::optional<Window> window = readPool(n, x);
  if (!window)
    return;
  double exponent = n.getInt("p", 2);
  Tensor powers = raise(n, x, exponent);
  Tensor padded = padForWindows(n, powers, *window, n.scalar(powers.type, 0));
  n.set(0, takeRoot(n, pool(n, padded, *window, Reduction::Sum), exponent,
                    x.type));
}

/// Reduces all axes after a batch and channels.
template <typename Reduce> static void buildGlobal(NodeBuilder &n, Reduce by) {
  const Tensor &x = n.in(0);
  auto axes =
      llvm::to_vector(llvm::seq<int64_t>(2, std::max<int64_t>(2, x.rank())));
  n.set(0, castTo(n, by(x, axes), x.type));
}

/// One window, of the whole image: a pool by name, as which code generation
/// keeps what comes before it out of the reduction.
static void buildGlobalMaxPool(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  size_t rank = std::max<int64_t>(x.rank() - 2, 0);
  Window window;
  window.kernel.assign(x.sizes.end() - rank, x.sizes.end());
  window.strides.assign(rank, 1);
  window.dilations.assign(rank, 1);
  window.low.assign(rank, n.ix.constant(0));
  window.high = window.low;
  window.sizes.assign(rank, n.ix.constant(1));
  n.set(0, rank ? pool(n, x, window, Reduction::Max) : x);
}

void mlir::hetero::onnx::addWindows(OperatorTable &table) {
  table.add("MaxPool", {1, 8, 10, 11, 12, 22}, buildMaxPool);
  table.add("AveragePool", {7, 10, 11, 19, 22}, buildAveragePool);
  table.add("LpPool", {2, 11, 18, 22}, buildLpPool);
  table.add("GlobalAveragePool", {1, 22}, [](NodeBuilder &n) {
    buildGlobal(n, [&](const Tensor &x, ArrayRef<int64_t> axes) {
      return mean(n, x, axes, true);
    });
  });
  table.add("GlobalMaxPool", {1, 22}, buildGlobalMaxPool);
  table.add("GlobalLpPool", {2, 22}, [](NodeBuilder &n) {
    double exponent = n.getInt("p", 2);
    buildGlobal(n, [&](const Tensor &x, ArrayRef<int64_t> axes) {
      Tensor sums =
          reduce(n, raise(n, x, exponent), axes, true, Reduction::Sum);
      return takeRoot(n, sums, exponent, x.type);
    });
  });
}
