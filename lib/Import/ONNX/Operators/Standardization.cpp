//===- Standardization.cpp - Layer normalization and its like -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compose/Normalization.h"
#include "../Compose/Quantization.h"
#include "../Emit/Reduction.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The type of means and deviations.
static ElementType getStashType(NodeBuilder &n) {
  auto stash = ElementType(n.getInt("stash_type", int64_t(ElementType::F32)));
  if (!isFloat(stash))
    n.fail("its stash_type is no type of floats");
  return stash;
}

/// The type that a normalization is computed in: what stash_type says, unless
/// that is narrow or the input's is wider.
static ElementType getInnerType(NodeBuilder &n, ElementType type) {
  ElementType stash = getStashType(n);
  bool isDouble = type == ElementType::F64 || stash == ElementType::F64;
  return isDouble ? ElementType::F64 : ElementType::F32;
}

/// All axes from one on.
static SmallVector<int64_t> getAxesFrom(int64_t axis, int64_t rank) {
  return llvm::to_vector(llvm::seq(axis, rank));
}

/// x * scale + bias, of which each may be null, as an output of a type.
static Tensor applyAffine(NodeBuilder &n, const Tensor &x, const Tensor *scale,
                          const Tensor *bias, ElementType type) {
  Tensor made = x;
  if (scale)
    made = mul(n, made, castTo(n, *scale, x.type));
  if (bias)
    made = add(n, made, castTo(n, *bias, x.type));
  return castTo(n, made, type);
}

/// Outputs of a layer normalization, by their numbers; -1 for none.
struct LayerOutputs {
  int mean, inverse;
};

/// Normalizes `given`, which is of type `type` in the file, from an axis on.
static void setLayerNorm(NodeBuilder &n, const Tensor &given, int64_t axis,
                         double epsilon, const Tensor *scale,
                         const Tensor *bias, bool hasMean,
                         LayerOutputs outputs) {
  ElementType wide = getInnerType(n, given.type);
  Tensor x = castTo(n, given, wide);
  SmallVector<int64_t> axes = getAxesFrom(n.axis(axis, x.rank()), x.rank());
  if (n.failed())
    return;
  Tensor centered = x, variance;
  if (hasMean) {
    Moments moments = measure(n, x, axes);
    centered = moments.centered;
    variance = moments.variance;
    if (outputs.mean >= 0 && n.wants(outputs.mean))
      n.set(outputs.mean, castTo(n, moments.mean, getStashType(n)));
  } else {
    variance = mean(n, square(n, x), axes, true);
  }
  Tensor inverse = invertDeviation(n, variance, epsilon);
  Tensor normal = mul(n, centered, inverse);
  n.set(0, applyAffine(n, normal, scale, bias, given.type));
  if (outputs.inverse >= 0 && n.wants(outputs.inverse))
    n.set(outputs.inverse, castTo(n, inverse, getStashType(n)));
}

static void buildLayerNormalization(NodeBuilder &n) {
  setLayerNorm(n, n.in(0), n.getInt("axis", -1), n.getFloat("epsilon", 1e-5f),
               &n.in(1), n.find(2), true, {1, 2});
}

/// RMSNormalization, and SimplifiedLayerNormalization, whose output 1 is what
/// it multiplies by.
static void buildRMSNormalization(NodeBuilder &n) {
  setLayerNorm(n, n.in(0), n.getInt("axis", -1), n.getFloat("epsilon", 1e-5f),
               &n.in(1), nullptr, false, {-1, 1});
}

/// The sum of an input, what skips a layer, and a bias.
template <bool hasMean> static void buildSkipNormalization(NodeBuilder &n) {
  ElementType type = n.in(0).type;
  ElementType wide = getAccumulator(type);
  Tensor sum = add(n, castTo(n, n.in(0), wide), castTo(n, n.in(1), wide));
  constexpr unsigned bias = hasMean ? 4 : 3;
  if (n.has(bias))
    sum = add(n, sum, castTo(n, n.in(bias), wide));
  Tensor given = castTo(n, sum, type);
  setLayerNorm(n, given, -1, n.getFloat("epsilon", 1e-12f), &n.in(2),
               hasMean ? n.find(3) : nullptr, hasMean, {1, 2});
  if (n.wants(3))
    n.set(3, given);
}

/// Groups of channels, each with its mean and variance.
static void buildGroupNormalization(NodeBuilder &n) {
  const Tensor &given = n.in(0);
  int64_t groups = n.getInt("num_groups", 0);
  if (given.rank() < 2 || groups < 1 ||
      (given.dim(1) && *given.dim(1) % groups))
    return n.fail("its channels do not divide into " + Twine(groups) +
                  " groups");
  Tensor x = castTo(n, given, getInnerType(n, given.type));
  OpFoldResult count = n.ix.constant(groups);
  OpFoldResult each = n.ix.floorDiv(x.sizes[1], count);
  n.checkEqual(n.ix.mul(each, count), x.sizes[1],
               "its channels do not divide into its groups");
  Sizes sizes = x.sizes;
  sizes[1] = count;
  sizes.insert(sizes.begin() + 2, each);
  x = reshape(n, x, sizes);
  Moments moments = measure(n, x, getAxesFrom(2, x.rank()));
  Tensor normal =
      mul(n, moments.centered,
          invertDeviation(n, moments.variance, n.getFloat("epsilon", 1e-5f)));
  // Before opset 21 there is a scale for each group.
  Sizes affine(x.rank() - 1, n.ix.constant(1));
  affine[0] = count;
  if (n.since() >= 21)
    affine[1] = each;
  auto align = [&](const Tensor &tensor) {
    n.checkEqual(n.ix.product(tensor.sizes), n.ix.product(affine),
                 "its scale or bias does not fit its channels");
    return n.failed() ? x : reshape(n, tensor, affine);
  };
  Tensor scale = align(n.in(1)), bias = align(n.in(2));
  n.set(0, reshape(n, applyAffine(n, normal, &scale, &bias, given.type),
                   given.sizes));
}

static void buildInstanceNormalization(NodeBuilder &n) {
  const Tensor &given = n.in(0);
  if (given.rank() < 2)
    return n.fail("its input has no channels");
  Tensor x = castTo(n, given, getAccumulator(given.type));
  Moments moments = measure(n, x, getAxesFrom(2, x.rank()));
  Tensor normal =
      mul(n, moments.centered,
          invertDeviation(n, moments.variance, n.getFloat("epsilon", 1e-5f)));
  auto align = [&](Tensor tensor) {
    if (tensor.rank() != 1)
      n.fail("its scale or bias is no vector");
    if (n.failed())
      return tensor;
    tensor.sizes[0] = n.checkEqual(tensor.sizes[0], x.sizes[1],
                                   "its scale or bias does not fit its "
                                   "channels");
    return alignToChannels(n, tensor, x.rank());
  };
  Tensor scale = align(n.in(1)), bias = align(n.in(2));
  if (!n.failed())
    n.set(0, applyAffine(n, normal, &scale, &bias, given.type));
}

static void buildMeanVarianceNormalization(NodeBuilder &n) {
  const Tensor &given = n.in(0);
  Tensor x = castTo(n, given, getAccumulator(given.type));
  SmallVector<int64_t> axes = n.axes(n.getInts("axes", {0, 2, 3}), x.rank());
  if (n.failed())
    return;
  Moments moments = measure(n, x, axes);
  Tensor made = elementwise(
      n, {moments.centered, moments.variance}, [](Scalars &s, ValueRange e) {
        Value deviation = s.sqrt(e[1]);
        return s.div(e[0], s.add(deviation, s.constantLike(deviation, 1e-9)));
      });
  n.set(0, castTo(n, made, given.type));
}

/// Numbers over their norm; 0 where that is 0.
static void buildLpNormalization(NodeBuilder &n) {
  const Tensor &given = n.in(0);
  Tensor x = castTo(n, given, getAccumulator(given.type));
  int64_t p = n.getInt("p", 2), axis = n.getAxis("axis", -1, x.rank());
  if (p != 1 && p != 2)
    n.fail("its p is " + Twine(p) + "; it must be 1 or 2");
  if (n.failed())
    return;
  Tensor powers = elementwise(n, {x}, [&](Scalars &s, ValueRange e) {
    return p == 1 ? s.abs(e[0]) : s.mul(e[0], e[0]);
  });
  Tensor sum = reduce(n, powers, axis, true, Reduction::Sum);
  Tensor made = elementwise(n, {x, sum}, [&](Scalars &s, ValueRange e) {
    Value zero = s.constantLike(e[0], 0);
    Value norm = p == 1 ? e[1] : s.sqrt(e[1]);
    return s.select(s.equal(norm, zero), zero, s.div(e[0], norm));
  });
  n.set(0, castTo(n, made, given.type));
}

/// x / (bias + alpha / size * sum of the squares of channels around)^beta
static void buildLRN(NodeBuilder &n) {
  const Tensor &given = n.in(0);
  int64_t size = n.getInt("size", 0);
  if (given.rank() < 2 || size < 1)
    return n.fail("its input has no channels, or its size is below 1");
  Tensor x = castTo(n, given, getAccumulator(given.type));
  Tensor planes = unsqueeze(n, square(n, x), 1);
  // A window of channels.
  size_t spatial = x.rank() - 1;
  Window window;
  window.kernel.assign(spatial, n.ix.constant(1));
  window.kernel[0] = n.ix.constant(size);
  window.strides.assign(spatial, 1);
  window.dilations.assign(spatial, 1);
  window.low.assign(spatial, n.ix.constant(0));
  window.high = window.low;
  window.low[0] = n.ix.constant((size - 1) / 2);
  window.high[0] = n.ix.constant(size / 2);
  window.sizes = Sizes(ArrayRef(x.sizes).drop_front());
  Tensor padded = padForWindows(n, planes, window, n.scalar(x.type, 0));
  Tensor sums = squeeze(n, pool(n, padded, window, Reduction::Sum), 1);
  double alpha = n.getFloat("alpha", 1e-4f) / double(size);
  double beta = n.getFloat("beta", 0.75f), bias = n.getFloat("bias", 1);
  Tensor made = elementwise(n, {x, sums}, [&](Scalars &s, ValueRange e) {
    Value scaled = s.mul(e[1], s.constantLike(e[1], alpha));
    Value base = s.add(scaled, s.constantLike(e[1], bias));
    Value power = s.binary<math::PowFOp>(base, s.constantLike(base, beta));
    return s.div(e[0], power);
  });
  n.set(0, castTo(n, made, given.type));
}

void mlir::hetero::onnx::addStandardization(OperatorTable &table) {
  // ONNX Runtime wrote it before the standard had it.
  table.add("LayerNormalization", {1, 17}, buildLayerNormalization);
  table.add("RMSNormalization", {23}, buildRMSNormalization);
  for (StringRef domain : {StringRef(""), StringRef(kMicrosoft)})
    table.add("SimplifiedLayerNormalization", {1}, buildRMSNormalization,
              domain);
  table.add("LayerNormalization", {1}, buildLayerNormalization, kMicrosoft);
  table.add("SkipLayerNormalization", {1}, buildSkipNormalization<true>,
            kMicrosoft);
  table.add("SkipSimplifiedLayerNormalization", {1},
            buildSkipNormalization<false>, kMicrosoft);
  table.add("GroupNormalization", {18, 21}, buildGroupNormalization);
  table.add("InstanceNormalization", {6, 22}, buildInstanceNormalization);
  table.add("MeanVarianceNormalization", {9, 13},
            buildMeanVarianceNormalization);
  table.add("LpNormalization", {1, 22}, buildLpNormalization);
  table.add("LRN", {1, 13}, buildLRN);
}
