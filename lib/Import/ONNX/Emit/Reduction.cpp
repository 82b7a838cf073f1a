//===- Reduction.cpp - Reductions along axes and of windows ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduction.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// The element of `kind` combined with what was combined before it.
static Value combine(Scalars &s, Reduction kind, Value element, Value before) {
  switch (kind) {
  case Reduction::Sum:
    return s.add(element, before);
  case Reduction::Product:
    return s.mul(element, before);
  case Reduction::Max:
    return s.max(element, before);
  case Reduction::Min:
    return s.min(element, before);
  }
  return before;
}

namespace {
/// The result of a reduction along axes, which are left out or stay with
/// size 1.
struct Reduced {
  Sizes sizes;
  AffineMap map;

  Reduced(NodeBuilder &n, ArrayRef<OpFoldResult> from, ArrayRef<int64_t> axes,
          bool keepDims) {
    SmallVector<AffineExpr> exprs;
    for (auto [axis, size] : llvm::enumerate(from)) {
      bool isKept = !llvm::is_contained(axes, int64_t(axis));
      if (!isKept && !keepDims)
        continue;
      sizes.push_back(isKept ? size : n.ix.constant(1));
      exprs.push_back(isKept ? n.b.getAffineDimExpr(axis)
                             : n.b.getAffineConstantExpr(0));
    }
    map = AffineMap::get(from.size(), 0, exprs, n.b.getContext());
  }
};
} // namespace

Tensor onnx::reduce(NodeBuilder &n, const Tensor &tensor,
                    ArrayRef<int64_t> axes, bool keepDims, ElementType result,
                    Value start, CombineBody combine) {
  Reduced made(n, tensor.sizes, axes, keepDims);
  return buildLoops(n, tensor, n.makeFilled(result, made.sizes, start),
                    {n.b.getMultiDimIdentityMap(tensor.rank()), made.map},
                    [&](Scalars &s, ValueRange e) {
                      Value element = e[0];
                      if (isNarrowFloat(tensor.type) && e[1].getType().isF32())
                        element =
                            s.convert(element, tensor.type, ElementType::F32);
                      return combine(s, element, e[1]);
                    });
}

Value onnx::getNeutral(NodeBuilder &n, ElementType type, Reduction kind) {
  if (kind == Reduction::Sum || kind == Reduction::Product)
    return n.scalar(type, kind == Reduction::Product);
  bool isMax = kind == Reduction::Max;
  Type storage = n.storage(type);
  if (auto floating = dyn_cast<FloatType>(storage)) {
    // Formats without infinities saturate.
    const llvm::fltSemantics &format = floating.getFloatSemantics();
    APFloat start = APFloat::semanticsHasInf(format)
                        ? APFloat::getInf(format, isMax)
                        : APFloat::getLargest(format, isMax);
    return n.scalarValue(OpFoldResult(n.b.getFloatAttr(storage, start)));
  }
  unsigned width = storage.getIntOrFloatBitWidth();
  APSInt start = isMax ? APSInt::getMinValue(width, isUnsigned(type))
                       : APSInt::getMaxValue(width, isUnsigned(type));
  return n.scalarValue(OpFoldResult(n.b.getIntegerAttr(storage, APInt(start))));
}

Tensor onnx::reduce(NodeBuilder &n, const Tensor &tensor,
                    ArrayRef<int64_t> axes, bool keepDims, Reduction kind) {
  ElementType type = getAccumulator(tensor.type);
  return reduce(n, tensor, axes, keepDims, type, getNeutral(n, type, kind),
                [&](Scalars &s, Value element, Value before) {
                  return ::combine(s, kind, element, before);
                });
}

Tensor onnx::makeCount(NodeBuilder &n, ElementType type, OpFoldResult count) {
  if (std::optional<int64_t> number = getInt(count))
    return n.constant(type, double(*number));
  Tensor tensor = n.makeKnown(ElementType::I64, {},
                              {n.ix.toElement(count, ElementType::I64)});
  return castTo(n, tensor, type);
}

Tensor onnx::mean(NodeBuilder &n, const Tensor &tensor, ArrayRef<int64_t> axes,
                  bool keepDims) {
  OpFoldResult count = n.ix.constant(1);
  for (int64_t axis : axes)
    count = n.ix.mul(count, tensor.sizes[axis]);
  Tensor sum = reduce(n, tensor, axes, keepDims, Reduction::Sum);
  // The count is a constant of the body where it is known.
  if (std::optional<int64_t> number = getInt(count))
    return elementwise(n, sum, [&](Scalars &s, ValueRange e) {
      return s.div(e[0], s.constant(double(*number)));
    });
  return div(n, sum, makeCount(n, sum.type, count));
}

Tensor onnx::argReduce(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                       bool keepDims, bool isMax, bool takesLast) {
  Reduced made(n, tensor.sizes, axis, keepDims);
  Value start =
      getNeutral(n, tensor.type, isMax ? Reduction::Max : Reduction::Min);
  Tensor best = n.makeFilled(tensor.type, made.sizes, start);
  Tensor place =
      n.makeFilled(ElementType::I64, made.sizes, n.scalar(ElementType::I64, 0));
  return buildLoops(
      n, tensor, {best, place},
      {n.b.getMultiDimIdentityMap(tensor.rank()), made.map, made.map},
      [&](Scalars &s, ValueRange e) -> SmallVector<Value> {
        Value lhs = isMax ? e[1] : e[0], rhs = isMax ? e[0] : e[1];
        Value isBetter = takesLast ? s.lessEqual(lhs, rhs) : s.less(lhs, rhs);
        // The first nan is the place, as in NumPy.
        if (s.isFloat()) {
          Value isFirst = s.logicalNot(s.isNan(e[1]));
          Value isNan = s.binary<arith::AndIOp>(s.isNan(e[0]), isFirst);
          isBetter = s.binary<arith::OrIOp>(isBetter, isNan);
        }
        Value index =
            Scalars(s.b, s.loc, ElementType::I64).fromIndex(s.index(axis));
        return {s.select(isBetter, e[0], e[1]),
                s.select(isBetter, index, e[2])};
      })[1];
}

std::optional<Window> onnx::readPool(NodeBuilder &n, const Tensor &input) {
  auto kernel =
      llvm::map_to_vector(n.getInts("kernel_shape"),
                          [&](int64_t size) { return n.ix.constant(size); });
  return n.failed() ? std::nullopt : readWindow(n, input.sizes, kernel);
}

/// The last place of the last window along a spatial dimension.
static OpFoldResult getLastPlace(Indices &ix, const Window &window, size_t i) {
  OpFoldResult one = ix.constant(1);
  return ix.add(
      ix.mul(ix.sub(window.sizes[i], one), ix.constant(window.strides[i])),
      ix.mul(ix.sub(window.kernel[i], one), ix.constant(window.dilations[i])));
}

Tensor onnx::padForWindows(NodeBuilder &n, const Tensor &input,
                           const Window &window, Value value) {
  Indices &ix = n.ix;
  Sizes low(2, ix.constant(0)), high = low;
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    // Windows of ceil_mode may reach past the pad.
    OpFoldResult end = ix.add(getLastPlace(ix, window, i), ix.constant(1));
    OpFoldResult has = ix.add(input.sizes[i + 2], window.low[i]);
    low.push_back(window.low[i]);
    high.push_back(ix.max(window.high[i], ix.sub(end, has)));
  }
  return pad(n, input, low, high, value);
}

/// The start of the results of a pool.
static Tensor startPool(NodeBuilder &n, ElementType type, const Tensor &input,
                        const Window &window, Value scalar) {
  Sizes sizes(ArrayRef(input.sizes).take_front(2));
  llvm::append_range(sizes, window.sizes);
  return n.makeFilled(type, sizes, scalar);
}

/// Loops over a batch, channels, windows and places in a window.
static SmallVector<AffineMap> getPoolMaps(OpBuilder &b, const Window &window) {
  unsigned taps = 2 + window.kernel.size();
  return getWindowMaps(b, window, 2, taps, {{0, 1}, {}, {0, 1}});
}

Tensor onnx::pool(NodeBuilder &n, const Tensor &padded, const Window &window,
                  Reduction kind) {
  bool isSum = kind == Reduction::Sum;
  ElementType type = isSum ? getAccumulator(padded.type) : padded.type;
  Tensor start = startPool(n, type, padded, window, getNeutral(n, type, kind));
  Tensor shape = n.makeEmpty(padded.type, window.kernel);
  size_t rank = window.kernel.size();
  bool isNamed = isFloat(type) && getBitWidth(padded.type) >= 16 &&
                 (isSum || kind == Reduction::Max);
  if (isNamed && rank == 2)
    return (isSum ? buildWindows<linalg::PoolingNchwSumOp>
                  : buildWindows<linalg::PoolingNchwMaxOp>)(n, padded, shape,
                                                            window, start);
  if (isNamed && rank == 1)
    return (isSum ? buildWindows<linalg::PoolingNcwSumOp>
                  : buildWindows<linalg::PoolingNcwMaxOp>)(n, padded, shape,
                                                           window, start);
  return buildLoops(n, {padded, shape}, start, getPoolMaps(n.b, window),
                    [&](Scalars &s, ValueRange e) {
                      Value element = s.convert(e[0], padded.type, type);
                      return ::combine(s, kind, e[2], element);
                    });
}

/// The number of places of a window that lie in [first, end) of the padded
/// input, as an index.
static Value countPlaces(Scalars &s, Value window, Value first, Value end,
                         Value kernel, int64_t stride, int64_t dilation) {
  Value zero = s.constantLike(window, 0), one = s.constantLike(window, 1);
  Value start = s.mul(window, s.constantLike(window, stride));
  Value step = s.constantLike(window, dilation);
  // Neither is negative where there is a place at all.
  auto placesBefore = [&](Value bound) {
    return s.binary<arith::CeilDivSIOp>(s.max(s.sub(bound, start), zero), step);
  };
  Value count = s.sub(s.min(placesBefore(end), kernel), placesBefore(first));
  // An average of no places is that of one, a pad.
  return s.max(count, one);
}

Tensor onnx::averagePool(NodeBuilder &n, const Tensor &input,
                         const Window &window) {
  Indices &ix = n.ix;
  Tensor padded = padForWindows(n, input, window, n.scalar(input.type, 0));
  Tensor sums = pool(n, padded, window, Reduction::Sum);
  size_t rank = window.kernel.size();
  bool isWhole = true, countsPads = n.getBool("count_include_pad");
  SmallVector<Value> firsts, ends;
  for (size_t i = 0; i < rank; ++i) {
    OpFoldResult first = countsPads ? ix.constant(0) : window.low[i];
    OpFoldResult end = ix.add(window.low[i], input.sizes[i + 2]);
    if (countsPads)
      end = ix.add(end, window.high[i]);
    OpFoldResult last = getLastPlace(ix, window, i);
    bool fits = getInt(last) && getInt(end) && *getInt(last) < *getInt(end);
    // Without pads, windows that are rounded down fit.
    bool isPlain =
        !n.getBool("ceil_mode") && (countsPads || getInt(window.high[i]) == 0);
    isWhole &= getInt(first) == 0 && (fits || isPlain);
    firsts.push_back(ix.value(first));
    ends.push_back(ix.value(end));
  }
  std::optional<int64_t> count = getInt(ix.product(window.kernel));
  if (isWhole && count)
    return elementwise(n, {sums}, [&](Scalars &s, ValueRange e) {
      return s.div(e[0], s.constantLike(e[0], double(*count)));
    });
  SmallVector<Value> kernel = ix.values(window.kernel);
  return elementwise(n, {sums}, [&](Scalars &s, ValueRange e) {
    Scalars whole(s.b, s.loc, ElementType::I64);
    Value count = arith::ConstantIndexOp::create(s.b, s.loc, 1);
    for (size_t i = 0; i < rank; ++i)
      count =
          whole.mul(count, countPlaces(whole, s.index(i + 2), firsts[i],
                                       ends[i], kernel[i], window.strides[i],
                                       window.dilations[i]));
    return s.div(e[0],
                 s.convert(whole.fromIndex(count), ElementType::I64, s.type));
  });
}

std::pair<Tensor, Tensor>
onnx::poolWithPlaces(NodeBuilder &n, const Tensor &input, const Tensor &padded,
                     const Window &window, bool isColumnMajor) {
  ElementType type = padded.type, whole = ElementType::I64;
  Tensor best =
      startPool(n, type, padded, window, getNeutral(n, type, Reduction::Max));
  Tensor first = startPool(n, whole, padded, window, n.scalar(whole, -1));
  Tensor shape = n.makeEmpty(type, window.kernel);
  SmallVector<AffineMap> maps = getPoolMaps(n.b, window);
  maps.push_back(maps.back());
  SmallVector<Value> sizes = n.ix.values(input.sizes);
  SmallVector<Value> low = n.ix.values(window.low);
  size_t rank = window.kernel.size();
  // The place in the tensor of the element that the loops are at, and whether
  // it is none of a pad.
  auto getPlace = [&](Scalars s) {
    SmallVector<Value> at{s.index(0), s.index(1)};
    Value isInside = s.constant(ElementType::Bool, 1);
    for (size_t i = 0; i < rank; ++i) {
      auto times = [&](Value index, int64_t factor) {
        return s.mul(index, s.constantLike(index, factor));
      };
      Value start = times(s.index(2 + i), window.strides[i]);
      Value inner = times(s.index(2 + rank + i), window.dilations[i]);
      at.push_back(s.sub(s.add(start, inner), low[i]));
      // Those before the start are large numbers without a sign.
      Value isBefore = s.b.createOrFold<arith::CmpIOp>(
          s.loc, arith::CmpIPredicate::ult, at.back(), sizes[i + 2]);
      isInside = s.binary<arith::AndIOp>(isInside, isBefore);
    }
    Value place = at[0];
    for (size_t i = 1; i < rank + 2; ++i) {
      size_t axis = isColumnMajor && i >= 2 ? rank + 3 - i : i;
      place = s.add(s.mul(place, sizes[axis]), at[axis]);
    }
    return std::pair(s.fromIndex(place), isInside);
  };
  SmallVector<Tensor> made = buildLoops(
      n, {padded, shape}, {best, first}, maps,
      [&](Scalars &s, ValueRange e) -> SmallVector<Value> {
        Scalars places(s.b, s.loc, whole);
        auto [place, isInside] = getPlace(places);
        Value isBetter = s.less(e[2], e[0]);
        // Where all elements are the least number, the first one is taken.
        Value isFirst = places.less(e[3], places.constant(0));
        Value isTaken = s.binary<arith::OrIOp>(
            isBetter, s.binary<arith::AndIOp>(isFirst, isInside));
        return {s.select(isBetter, e[0], e[2]), s.select(isTaken, place, e[3])};
      });
  return {made[0], made[1]};
}
