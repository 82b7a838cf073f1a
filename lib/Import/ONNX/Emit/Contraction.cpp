//===- Contraction.cpp - Products and convolutions ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static bool isNarrowInteger(ElementType type) {
  return isInteger(type) && getBitWidth(type) < 32;
}

ElementType onnx::getProductType(const Tensor &lhs, const Tensor &rhs) {
  return isNarrowInteger(lhs.type) ? ElementType::I32
                                   : getAccumulator(lhs.type);
}

/// True if a named operation reads elements of both as they are: it takes
/// integers to have signs.
static bool canBeNamed(const Tensor &lhs, const Tensor &rhs) {
  return lhs.type == rhs.type &&
         !(isNarrowInteger(lhs.type) && isUnsigned(lhs.type));
}

/// A sum of products by maps of the operands and of the result, in the type of
/// `start`.
static Value multiplyByMaps(NodeBuilder &n, const Tensor &lhs,
                            const Tensor &rhs, const Tensor &start,
                            ArrayRef<AffineMap> maps,
                            ArrayRef<utils::IteratorType> kinds) {
  Value init = n.value(start);
  return linalg::GenericOp::create(
             n.b, n.loc, init.getType(), ValueRange{n.value(lhs), n.value(rhs)},
             init, maps, kinds,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Scalars s(b, loc, start.type);
               Value product = s.mul(s.convert(args[0], lhs.type, start.type),
                                     s.convert(args[1], rhs.type, start.type));
               linalg::YieldOp::create(b, loc, s.add(args[2], product));
             })
      .getResult(0);
}

/// The product of matrices of integers whose signs no named operation has.
static Value multiplyIntegers(NodeBuilder &n, const Tensor &lhs,
                              const Tensor &rhs, const Tensor &start) {
  int64_t batch = lhs.rank() - 2;
  SmallVector<AffineExpr> left, right, made;
  auto d = [&](int64_t i) { return n.b.getAffineDimExpr(i); };
  for (int64_t i = 0; i < batch; ++i)
    for (auto *place : {&left, &right, &made})
      place->push_back(d(i));
  AffineExpr row = d(batch), column = d(batch + 1), inner = d(batch + 2);
  left.append({row, inner});
  right.append({inner, column});
  made.append({row, column});
  SmallVector<ArrayRef<AffineExpr>> exprs{left, right, made};
  SmallVector<AffineMap> maps =
      AffineMap::inferFromExprList(exprs, n.b.getContext());
  SmallVector<utils::IteratorType> kinds(batch + 2,
                                         utils::IteratorType::parallel);
  kinds.push_back(utils::IteratorType::reduction);
  return multiplyByMaps(n, lhs, rhs, start, maps, kinds);
}

/// A product of matrices, or of batches of them.
static Tensor multiply(NodeBuilder &n, const Tensor &lhs, const Tensor &rhs) {
  ElementType type = getProductType(lhs, rhs);
  int64_t rank = lhs.rank();
  Sizes sizes = lhs.sizes;
  sizes.back() = rhs.sizes.back();
  SmallVector<Value> inputs{n.value(lhs), n.value(rhs)};
  Value init = n.fillZero(type, sizes);
  Value made;
  if (!canBeNamed(lhs, rhs))
    made = multiplyIntegers(n, lhs, rhs, n.make(type, sizes, init));
  else if (rank == 2)
    made = linalg::MatmulOp::create(n.b, n.loc, init.getType(), inputs, init)
               .getResult(0);
  else
    made =
        linalg::BatchMatmulOp::create(n.b, n.loc, init.getType(), inputs, init)
            .getResult(0);
  return n.make(type, sizes, made);
}

/// The operand with all dimensions of `batch` before its matrix, as one.
static Tensor joinBatch(NodeBuilder &n, const Tensor &tensor,
                        ArrayRef<OpFoldResult> batch, OpFoldResult count) {
  Sizes sizes(batch), joined{count};
  for (OpFoldResult size : ArrayRef(tensor.sizes).take_back(2)) {
    sizes.push_back(size);
    joined.push_back(size);
  }
  return reshape(n, broadcastTo(n, tensor, sizes), joined);
}

/// True if all dimensions but the last two have size 1.
static bool isMatrix(const Tensor &tensor) {
  for (int64_t axis = 0; axis + 2 < tensor.rank(); ++axis)
    if (tensor.dim(axis) != 1)
      return false;
  return true;
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
    return n.make(lhs.type, sizes, n.empty(lhs.type, sizes));
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

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

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
  Window window;
  window.kernel.assign(kernel.begin(), kernel.end());
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  window.strides = n.getInts("strides", ones);
  window.dilations = n.getInts("dilations", ones);
  SmallVector<int64_t> pads = n.getInts("pads", zeros);
  StringRef automatic = n.getString("auto_pad", "NOTSET");
  // Products of two of them fit.
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  auto isPositive = [&](int64_t number) {
    return number > 0 && number <= most;
  };
  auto isPad = [&](int64_t number) { return number >= 0 && number <= most; };
  if (window.strides.size() != rank || window.dilations.size() != rank ||
      pads.size() != 2 * rank || !llvm::all_of(window.strides, isPositive) ||
      !llvm::all_of(window.dilations, isPositive) ||
      !llvm::all_of(pads, isPad) ||
      !llvm::all_of(kernel, [&](OpFoldResult size) {
        return isPositive(getInt(size).value_or(1));
      })) {
    n.fail("strides, dilations or pads do not fit the " + Twine(rank) +
           " dimensions of its kernel");
    return std::nullopt;
  }
  bool isSame = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  for (size_t i = 0; i < rank; ++i) {
    OpFoldResult size = input[i + 2], one = ix.constant(1);
    OpFoldResult extent = ix.add(
        ix.mul(ix.sub(kernel[i], one), ix.constant(window.dilations[i])), one);
    OpFoldResult low = ix.constant(pads[i]), high = ix.constant(pads[rank + i]);
    if (automatic == "VALID")
      low = high = ix.constant(0);
    OpFoldResult step = ix.constant(window.strides[i]), count;
    if (isSame) {
      count = ix.ceilDiv(size, step);
      OpFoldResult need =
          ix.sub(ix.add(ix.mul(ix.sub(count, one), step), extent), size);
      OpFoldResult total = ix.max(need, ix.constant(0));
      OpFoldResult half = ix.floorDiv(total, ix.constant(2));
      OpFoldResult rest = ix.sub(total, half);
      low = automatic == "SAME_UPPER" ? half : rest;
      high = automatic == "SAME_UPPER" ? rest : half;
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

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// A named convolution.
template <typename OpTy>
static Value makeConvolution(NodeBuilder &n, const Tensor &input,
                             const Tensor &weights, const Window &window,
                             Value start) {
  return OpTy::create(n.b, n.loc, start.getType(),
                      ValueRange{n.value(input), n.value(weights)}, start,
                      n.b.getI64TensorAttr(window.strides),
                      n.b.getI64TensorAttr(window.dilations))
      ->getResult(0);
}

/// The operation of one group, for one to three spatial dimensions.
static Value convolveGroup(NodeBuilder &n, const Tensor &input,
                           const Tensor &weights, const Window &window,
                           Value start) {
  switch (window.kernel.size()) {
  case 1:
    return makeConvolution<linalg::Conv1DNcwFcwOp>(n, input, weights, window,
                                                   start);
  case 2:
    return makeConvolution<linalg::Conv2DNchwFchwOp>(n, input, weights, window,
                                                     start);
  default:
    return makeConvolution<linalg::Conv3DNcdhwFcdhwOp>(n, input, weights,
                                                       window, start);
  }
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

/// A convolution of any number of spatial dimensions in groups, by maps:
/// dimensions n, g, f, spatial; c, kernel.
static Value convolveByMaps(NodeBuilder &n, const Tensor &input,
                            const Tensor &weights, const Window &window,
                            const Tensor &start) {
  int64_t spatial = window.kernel.size(), outer = 3 + spatial;
  OpBuilder &b = n.b;
  auto d = [&](int64_t i) { return b.getAffineDimExpr(i); };
  SmallVector<AffineExpr> read{d(0), d(1), d(outer)};
  SmallVector<AffineExpr> kernel{d(1), d(2), d(outer)};
  SmallVector<AffineExpr> made{d(0), d(1), d(2)};
  for (int64_t i = 0; i < spatial; ++i) {
    read.push_back(d(3 + i) * window.strides[i] +
                   d(outer + 1 + i) * window.dilations[i]);
    kernel.push_back(d(outer + 1 + i));
    made.push_back(d(3 + i));
  }
  int64_t loops = outer + 1 + spatial;
  SmallVector<AffineMap> maps;
  for (ArrayRef<AffineExpr> exprs :
       {ArrayRef(read), ArrayRef(kernel), ArrayRef(made)})
    maps.push_back(AffineMap::get(loops, 0, exprs, b.getContext()));
  SmallVector<utils::IteratorType> kinds(outer, utils::IteratorType::parallel);
  kinds.append(1 + spatial, utils::IteratorType::reduction);
  return multiplyByMaps(n, input, weights, start, maps, kinds);
}

Tensor onnx::convolve(NodeBuilder &n, const Convolution &convolution,
                      const Tensor &weights, const Tensor &start) {
  const auto &[window, groups, input, sizes] = convolution;
  size_t spatial = window.kernel.size();
  bool isNamed = canBeNamed(input, weights);
  if (groups == 1 && spatial <= 3 && isNamed)
    return n.make(start.type, start.sizes,
                  convolveGroup(n, input, weights, window, n.value(start)));
  bool isDepthwise = weights.dim(1) == 1 && weights.dim(0) == groups;
  if (isDepthwise && spatial == 2 && isNamed) {
    Value made = makeConvolution<linalg::DepthwiseConv2DNchwChwOp>(
        n, input, squeeze(n, weights, 1), window, n.value(start));
    return n.make(start.type, start.sizes, made);
  }
  Tensor source = splitGroups(n, input, 1, groups);
  Tensor kernels = splitGroups(n, weights, 0, groups);
  Tensor parts = splitGroups(n, start, 1, groups);
  Value made = spatial == 2 && isNamed
                   ? makeConvolution<linalg::Conv2DNgchwGfchwOp>(
                         n, source, kernels, window, n.value(parts))
                   : convolveByMaps(n, source, kernels, window, parts);
  return reshape(n, n.make(start.type, parts.sizes, made), start.sizes);
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

Tensor onnx::startAtBias(NodeBuilder &n, const Convolution &convolution,
                         ElementType type, const Tensor *bias) {
  const Sizes &sizes = convolution.sizes;
  if (bias && bias->rank() != 1)
    n.fail("its bias is no vector");
  else if (bias)
    n.checkEqual(bias->sizes[0], sizes[1],
                 "its bias has not one element for each feature");
  if (!bias || n.failed())
    return n.make(type, sizes, n.fillZero(type, sizes));
  SmallVector<int64_t> kept{0};
  for (size_t i = 2; i < sizes.size(); ++i)
    kept.push_back(i);
  Tensor features = n.make(type, sizes[1], n.value(castTo(n, *bias, type)));
  auto made = linalg::BroadcastOp::create(n.b, n.loc, features.value,
                                          n.empty(type, sizes), kept);
  return n.make(type, sizes, made->getResult(0));
}
