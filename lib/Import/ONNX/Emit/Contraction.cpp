//===- Contraction.cpp - Products and convolutions ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Contraction.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

static bool isNarrowInteger(ElementType type) {
  return isInteger(type) && getBitWidth(type) < 32;
}

/// The type of sums of products: the accumulator's, and i32 of integers of at
/// most 16 bits, which may be of unlike types.
static ElementType getProductType(ElementType type) {
  return isNarrowInteger(type) ? ElementType::I32 : getAccumulator(type);
}

/// True if a named operation reads elements of both as they are: it takes
/// integers to have signs.
static bool canBeNamed(const Tensor &lhs, const Tensor &rhs) {
  return lhs.type == rhs.type &&
         !(isNarrowInteger(lhs.type) && isUnsigned(lhs.type));
}

/// A sum of products by maps of the operands and of the result, in the type of
/// `start`.
static Tensor multiplyByMaps(NodeBuilder &n, const Tensor &lhs,
                             const Tensor &rhs, const Tensor &start,
                             ArrayRef<AffineMap> maps) {
  return buildLoops(n, {lhs, rhs}, start, maps, [&](Scalars &s, ValueRange e) {
    Value product = s.mul(s.convert(e[0], lhs.type, start.type),
                          s.convert(e[1], rhs.type, start.type));
    return s.add(e[2], product);
  });
}

/// The maps of matrices, or of batches of them: loops over the batch, rows,
/// columns, and what is summed.
static SmallVector<AffineMap> getMatrixMaps(NodeBuilder &n, unsigned rank) {
  AffineMap all = n.b.getMultiDimIdentityMap(rank + 1);
  auto right = llvm::to_vector(llvm::seq(rank - 2));
  right.append({rank, rank - 1});
  return {
      all.dropResult(rank - 1),
      AffineMap::getMultiDimMapWithTargets(rank + 1, right, n.b.getContext()),
      all.dropResult(rank)};
}

/// A product of matrices, or of batches of them.
static Tensor multiply(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs) {
  ElementType type = getProductType(lhs.type);
  Sizes sizes = lhs.sizes;
  sizes.back() = rhs.sizes.back();
  SmallVector<Value> inputs{n.value(lhs), n.value(rhs)};
  Value init = n.fillZero(type, sizes);
  // No named operation has the signs of the integers.
  if (!canBeNamed(lhs, rhs))
    return multiplyByMaps(n, lhs, rhs, n.make(type, sizes, init),
                          getMatrixMaps(n, lhs.rank()));
  Operation *op =
      lhs.rank() == 2
          ? linalg::MatmulOp::create(n.b, n.loc, init.getType(), inputs, init)
          : linalg::BatchMatmulOp::create(n.b, n.loc, init.getType(), inputs,
                                          init)
                .getOperation();
  return n.make(type, sizes, op->getResult(0));
}

/// The operand with all dimensions of `batch` before its matrix, as one.
static Tensor joinBatch(NodeBuilder &n, const Tensor &tensor,
                        ArrayRef<OpFoldResult> batch, OpFoldResult count) {
  Sizes sizes(batch), joined{count};
  ArrayRef<OpFoldResult> matrix = ArrayRef(tensor.sizes).take_back(2);
  llvm::append_range(sizes, matrix);
  llvm::append_range(joined, matrix);
  return reshape(n, broadcastTo(n, tensor, sizes), joined);
}

/// True if all dimensions but the last two have size 1.
static bool isMatrix(const Tensor &tensor) {
  return llvm::all_of(ArrayRef(tensor.sizes).drop_back(2),
                      [](OpFoldResult size) { return getInt(size) == 1; });
}

static Tensor multiplyBatches(NodeBuilder &n, Tensor lhs, Tensor rhs) {
  // Dimensions of operands that stand for batches broadcast.
  auto batchOf = [&](const Tensor &tensor) {
    return Tensor{tensor.type, Sizes(ArrayRef(tensor.sizes).drop_back(2))};
  };
  Sizes batch = broadcastSizes(n, {batchOf(lhs), batchOf(rhs)});
  Sizes sizes = batch;
  sizes.push_back(lhs.sizes[lhs.rank() - 2]);
  sizes.push_back(rhs.sizes.back());
  if (n.failed())
    return n.makeEmpty(lhs.type, sizes);
  OpFoldResult rows = n.ix.product(ArrayRef(sizes).drop_back());
  if (isMatrix(rhs)) {
    // One matrix for all: their rows are those of one matrix.
    Tensor left = reshape(n, lhs, {rows, lhs.sizes.back()});
    Tensor right = reshape(n, rhs, ArrayRef(rhs.sizes).take_back(2));
    return reshape(n, multiply(n, left, right), sizes);
  }
  OpFoldResult count = n.ix.product(batch);
  Tensor made = multiply(n, joinBatch(n, lhs, batch, count),
                         joinBatch(n, rhs, batch, count));
  return reshape(n, made, sizes);
}

Tensor onnx::matmul(NodeBuilder &n, const Tensor &left, const Tensor &right) {
  Tensor lhs = left, rhs = right;
  bool isRow = lhs.rank() == 1, isColumn = rhs.rank() == 1;
  if (lhs.rank() == 0 || rhs.rank() == 0) {
    n.fail("an input has no dimensions");
    return lhs;
  }
  if (isRow)
    lhs = unsqueeze(n, lhs, 0);
  if (isColumn)
    rhs = unsqueeze(n, rhs, 1);
  OpFoldResult inner =
      n.checkEqual(lhs.sizes.back(), rhs.sizes[rhs.rank() - 2],
                   "the last size of the first input is not the last but one "
                   "of the second");
  lhs.sizes.back() = inner;
  rhs.sizes[rhs.rank() - 2] = inner;
  if (n.failed())
    return lhs;
  lhs = n.make(lhs.type, lhs.sizes, n.value(lhs));
  rhs = n.make(rhs.type, rhs.sizes, n.value(rhs));
  Tensor product = lhs.rank() == 2 && rhs.rank() == 2
                       ? multiply(n, lhs, rhs)
                       : multiplyBatches(n, lhs, rhs);
  if (isColumn)
    product = squeeze(n, product, product.rank() - 1);
  if (isRow)
    product = squeeze(n, product, product.rank() - (isColumn ? 1 : 2));
  return product;
}

/// The size of the result along one spatial dimension.
static OpFoldResult getWindowCount(NodeBuilder &n, OpFoldResult size,
                                   OpFoldResult extent, int64_t stride,
                                   OpFoldResult low, OpFoldResult high,
                                   bool ceil) {
  Indices &ix = n.ix;
  OpFoldResult room = ix.sub(ix.add(size, ix.add(low, high)), extent);
  OpFoldResult step = ix.constant(stride), one = ix.constant(1);
  if (!ceil)
    return ix.add(ix.floorDiv(room, step), one);
  OpFoldResult count = ix.add(ix.ceilDiv(room, step), one);
  // A window that starts past the input and its pad at the start is none.
  OpFoldResult last = ix.mul(ix.sub(count, one), step);
  return ix.select(ix.less(last, ix.add(size, low)), count, ix.sub(count, one));
}

static void failSteps(NodeBuilder &n, size_t rank) {
  n.fail("strides, dilations or pads do not fit the " + Twine(rank) +
         " dimensions of its kernel");
}

std::optional<Steps> onnx::readSteps(NodeBuilder &n, size_t rank) {
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  Steps steps{n.getInts("strides", ones), n.getInts("dilations", ones),
              n.getInts("pads", zeros)};
  if (n.getString("auto_pad") == "VALID")
    steps.pads.assign(steps.pads.size(), 0);
  // Products of two of them fit.
  auto isStep = [](int64_t number) {
    return number > 0 && number <= INT32_MAX;
  };
  auto isPad = [](int64_t pad) { return std::abs(pad) <= INT32_MAX; };
  if (steps.strides.size() == rank && steps.dilations.size() == rank &&
      steps.pads.size() == 2 * rank && llvm::all_of(steps.strides, isStep) &&
      llvm::all_of(steps.dilations, isStep) && llvm::all_of(steps.pads, isPad))
    return steps;
  failSteps(n, rank);
  return std::nullopt;
}

OpFoldResult onnx::getExtent(Indices &ix, OpFoldResult kernel,
                             int64_t dilation) {
  OpFoldResult one = ix.constant(1);
  return ix.add(ix.mul(ix.sub(kernel, one), ix.constant(dilation)), one);
}

std::pair<OpFoldResult, OpFoldResult> onnx::halve(NodeBuilder &n,
                                                  OpFoldResult total) {
  OpFoldResult half = n.ix.floorDiv(total, n.ix.constant(2));
  OpFoldResult rest = n.ix.sub(total, half);
  return n.getString("auto_pad") == "SAME_UPPER" ? std::pair(half, rest)
                                                 : std::pair(rest, half);
}

std::optional<Window> onnx::readWindow(NodeBuilder &n,
                                       ArrayRef<OpFoldResult> input,
                                       ArrayRef<OpFoldResult> kernel) {
  Indices &ix = n.ix;
  size_t rank = kernel.size();
  if (input.size() != rank + 2 || rank == 0) {
    n.fail("its input has " + Twine(input.size()) +
           " dimensions, and its kernel " + Twine(rank));
    return std::nullopt;
  }
  std::optional<Steps> steps = readSteps(n, rank);
  if (!steps)
    return std::nullopt;
  auto isSize = [](OpFoldResult size) {
    return uint64_t(getInt(size).value_or(1)) - 1 < INT32_MAX;
  };
  auto isNegative = [](int64_t pad) { return pad < 0; };
  if (llvm::any_of(steps->pads, isNegative) || !llvm::all_of(kernel, isSize)) {
    failSteps(n, rank);
    return std::nullopt;
  }
  Window window{SmallVector<OpFoldResult>(kernel),
                steps->strides,
                steps->dilations,
                {},
                {},
                {}};
  bool isSame = n.getString("auto_pad").starts_with("SAME_");
  for (size_t i = 0; i < rank; ++i) {
    OpFoldResult size = input[i + 2], step = ix.constant(window.strides[i]);
    OpFoldResult extent = getExtent(ix, kernel[i], window.dilations[i]);
    OpFoldResult low = ix.constant(steps->pads[i]);
    OpFoldResult high = ix.constant(steps->pads[rank + i]), count;
    if (isSame) {
      count = ix.ceilDiv(size, step);
      OpFoldResult last = ix.mul(ix.sub(count, ix.constant(1)), step);
      OpFoldResult need = ix.sub(ix.add(last, extent), size);
      std::tie(low, high) = halve(n, ix.max(need, ix.constant(0)));
    } else {
      count = getWindowCount(n, size, extent, window.strides[i], low, high,
                             n.getBool("ceil_mode"));
    }
    // A kernel that is larger than its input has no windows.
    n.check(ix.less(ix.constant(0), count),
            "its kernel is larger than its padded input");
    window.low.push_back(low);
    window.high.push_back(high);
    window.sizes.push_back(count);
  }
  return window;
}

SmallVector<AffineMap>
onnx::getWindowMaps(OpBuilder &b, const Window &window, unsigned places,
                    unsigned taps, ArrayRef<SmallVector<unsigned>> outer) {
  SmallVector<SmallVector<AffineExpr>> exprs(3);
  for (auto [own, loops] : llvm::zip_equal(exprs, outer))
    for (unsigned loop : loops)
      own.push_back(b.getAffineDimExpr(loop));
  unsigned rank = window.kernel.size();
  for (unsigned i = 0; i < rank; ++i) {
    AffineExpr place = b.getAffineDimExpr(places + i);
    AffineExpr tap = b.getAffineDimExpr(taps + i);
    exprs[0].push_back(place * window.strides[i] + tap * window.dilations[i]);
    exprs[1].push_back(tap);
    exprs[2].push_back(place);
  }
  return llvm::map_to_vector(exprs, [&](ArrayRef<AffineExpr> own) {
    return AffineMap::get(taps + rank, 0, own, b.getContext());
  });
}

/// Splits a dimension into groups and the rest.
static Tensor splitGroups(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                          int64_t groups) {
  Sizes sizes = tensor.sizes;
  OpFoldResult count = n.ix.constant(groups);
  OpFoldResult each = n.ix.floorDiv(sizes[axis], count);
  sizes[axis] = count;
  sizes.insert(sizes.begin() + axis + 1, each);
  return reshape(n, tensor, sizes);
}

Tensor onnx::convolve(NodeBuilder &n, const Convolution &convolution,
                      const Tensor &weights, const Tensor &start) {
  const auto &[window, groups, input, sizes] = convolution;
  unsigned spatial = window.kernel.size();
  bool isNamed = canBeNamed(input, weights);
  if (groups == 1 && isNamed && spatial == 1)
    return buildWindows<linalg::Conv1DNcwFcwOp>(n, input, weights, window,
                                                start);
  if (groups == 1 && isNamed && spatial == 2)
    return buildWindows<linalg::Conv2DNchwFchwOp>(n, input, weights, window,
                                                  start);
  if (groups == 1 && isNamed && spatial == 3)
    return buildWindows<linalg::Conv3DNcdhwFcdhwOp>(n, input, weights, window,
                                                    start);
  bool isDepthwise = weights.dim(1) == 1 && weights.dim(0) == groups;
  if (isDepthwise && spatial == 2 && isNamed)
    return buildWindows<linalg::DepthwiseConv2DNchwChwOp>(
        n, input, squeeze(n, weights, 1), window, start);
  Tensor source = splitGroups(n, input, 1, groups);
  Tensor kernels = splitGroups(n, weights, 0, groups);
  Tensor parts = splitGroups(n, start, 1, groups);
  if (spatial == 2 && isNamed)
    return reshape(n,
                   buildWindows<linalg::Conv2DNgchwGfchwOp>(n, source, kernels,
                                                            window, parts),
                   start.sizes);
  // Loops: batch, group, feature, places; channel, places in the kernel.
  unsigned channel = 3 + spatial;
  Tensor made = multiplyByMaps(
      n, source, kernels, parts,
      getWindowMaps(n.b, window, 3, channel + 1,
                    {{0, 1, channel}, {1, 2, channel}, {0, 1, 2}}));
  return reshape(n, made, start.sizes);
}

std::optional<Convolution> onnx::readConvolution(NodeBuilder &n,
                                                 const Tensor &input,
                                                 const Tensor &weights,
                                                 Value zero) {
  Tensor x = input;
  int64_t groups = n.getInt("group", 1);
  if (x.rank() < 3 || weights.rank() != x.rank())
    n.fail("its input has " + Twine(x.rank()) +
           " dimensions, and its weights " + Twine(weights.rank()));
  if (n.failed())
    return std::nullopt;
  std::optional<Window> window =
      readWindow(n, x.sizes, ArrayRef(weights.sizes).drop_front(2));
  if (!window)
    return std::nullopt;
  if (groups < 1 || (x.dim(1) && *x.dim(1) % groups) ||
      (weights.dim(0) && *weights.dim(0) % groups)) {
    n.fail("its channels do not divide into " + Twine(groups) + " groups");
    return std::nullopt;
  }
  OpFoldResult channels = n.ix.mul(weights.sizes[1], n.ix.constant(groups));
  x.sizes[1] = n.checkEqual(x.sizes[1], channels,
                            "channels of its input do not fit its weights");
  if (n.failed())
    return std::nullopt;
  x = n.make(x.type, x.sizes, n.value(x));
  Sizes none(2, n.ix.constant(0)), low = none, high = none;
  llvm::append_range(low, window->low);
  llvm::append_range(high, window->high);
  Sizes sizes{x.sizes[0], weights.sizes[0]};
  llvm::append_range(sizes, window->sizes);
  return Convolution{*window, groups, pad(n, x, low, high, zero), sizes};
}

Tensor onnx::startAtBias(NodeBuilder &n, ArrayRef<OpFoldResult> sizes,
                         ElementType type, const Tensor *bias) {
  if (bias && bias->rank() != 1)
    n.fail("its bias is no vector");
  else if (bias)
    n.checkEqual(bias->sizes[0], sizes[1],
                 "its bias has not one element for each feature");
  if (!bias || n.failed())
    return n.makeFilled(type, sizes, n.scalar(type, 0));
  auto others = llvm::to_vector(llvm::seq<int64_t>(sizes.size()));
  others.erase(others.begin() + 1);
  Tensor features = n.make(type, sizes[1], n.value(castTo(n, *bias, type)));
  auto made = linalg::BroadcastOp::create(n.b, n.loc, features.value,
                                          n.empty(type, sizes), others);
  return n.make(type, sizes, made->getResult(0));
}
