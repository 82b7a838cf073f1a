//===- Pool.cpp - Reductions of windows -----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Tensor onnx::padForWindows(NodeBuilder &n, const Tensor &input,
                           const Window &window, Value value) {
  Indices &ix = n.ix;
  OpFoldResult one = ix.constant(1);
  Sizes low(2, ix.constant(0)), high = low;
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    // Windows of ceil_mode may reach past the pad.
    OpFoldResult extent =
        ix.mul(ix.sub(window.kernel[i], one), ix.constant(window.dilations[i]));
    OpFoldResult last = ix.add(
        ix.mul(ix.sub(window.sizes[i], one), ix.constant(window.strides[i])),
        ix.add(extent, one));
    OpFoldResult has = ix.add(input.sizes[i + 2], window.low[i]);
    low.push_back(window.low[i]);
    high.push_back(ix.max(window.high[i], ix.sub(last, has)));
  }
  return pad(n, input, low, high, value);
}

/// The sizes of the result of a pool.
static Sizes getPoolSizes(const Tensor &input, const Window &window) {
  Sizes sizes(ArrayRef(input.sizes).take_front(2));
  llvm::append_range(sizes, window.sizes);
  return sizes;
}

template <typename OpTy>
static Value makePool(NodeBuilder &n, const Tensor &padded,
                      const Window &window, Value start) {
  Value shape = n.empty(padded.type, window.kernel);
  return OpTy::create(n.b, n.loc, start.getType(),
                      ValueRange{n.value(padded), shape}, start,
                      n.b.getI64TensorAttr(window.strides),
                      n.b.getI64TensorAttr(window.dilations))
      ->getResult(0);
}

namespace {
/// Maps of loops over a batch, channels, windows and places in a window.
struct PoolLoops {
  SmallVector<AffineMap> maps;
  SmallVector<utils::IteratorType> kinds;

  PoolLoops(OpBuilder &b, const Window &window, unsigned results) {
    int64_t rank = window.kernel.size();
    SmallVector<AffineExpr> read, kernel, made;
    for (int64_t i = 0; i < 2; ++i) {
      read.push_back(b.getAffineDimExpr(i));
      made.push_back(b.getAffineDimExpr(i));
    }
    for (int64_t i = 0; i < rank; ++i) {
      AffineExpr place = b.getAffineDimExpr(2 + i);
      AffineExpr inner = b.getAffineDimExpr(2 + rank + i);
      read.push_back(place * window.strides[i] + inner * window.dilations[i]);
      kernel.push_back(inner);
      made.push_back(place);
    }
    auto add = [&](ArrayRef<AffineExpr> exprs) {
      maps.push_back(AffineMap::get(2 + 2 * rank, 0, exprs, b.getContext()));
    };
    add(read);
    add(kernel);
    for (unsigned i = 0; i < results; ++i)
      add(made);
    kinds.assign(2 + rank, utils::IteratorType::parallel);
    kinds.append(rank, utils::IteratorType::reduction);
  }
};
} // namespace

Tensor onnx::pool(NodeBuilder &n, const Tensor &padded, const Window &window,
                  Reduction kind) {
  bool isSum = kind == Reduction::Sum;
  ElementType type = isSum ? getAccumulator(padded.type) : padded.type;
  Sizes sizes = getPoolSizes(padded, window);
  Value start = n.fill(type, sizes, getNeutral(n, type, kind));
  size_t rank = window.kernel.size();
  bool isNamed = isFloat(type) && rank <= 2 && getBitWidth(padded.type) >= 16 &&
                 (isSum || kind == Reduction::Max);
  Value made;
  if (isNamed && rank == 2)
    made = isSum ? makePool<linalg::PoolingNchwSumOp>(n, padded, window, start)
                 : makePool<linalg::PoolingNchwMaxOp>(n, padded, window, start);
  else if (isNamed)
    made = isSum ? makePool<linalg::PoolingNcwSumOp>(n, padded, window, start)
                 : makePool<linalg::PoolingNcwMaxOp>(n, padded, window, start);
  if (made)
    return n.make(type, sizes, made);
  PoolLoops loops(n.b, window, 1);
  Value shape = n.empty(padded.type, window.kernel);
  auto op = linalg::GenericOp::create(
      n.b, n.loc, start.getType(), ValueRange{n.value(padded), shape}, start,
      loops.maps, loops.kinds,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Scalars s(b, loc, type);
        Value element = s.convert(args[0], padded.type, type);
        Value next = isSum                    ? s.add(args[2], element)
                     : kind == Reduction::Max ? s.max(args[2], element)
                     : kind == Reduction::Min ? s.min(args[2], element)
                                              : s.mul(args[2], element);
        linalg::YieldOp::create(b, loc, next);
      });
  return n.make(type, sizes, op.getResult(0));
}

/// The number of places of a window that lie in [first, end) of the padded
/// input, as an index.
static Value countPlaces(OpBuilder &b, Location loc, Value window, Value first,
                         Value end, Value kernel, int64_t stride,
                         int64_t dilation) {
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(b, loc, number);
  };
  Value zero = constant(0), one = constant(1), step = constant(dilation);
  Value start = b.createOrFold<arith::MulIOp>(loc, window, constant(stride));
  Value before = b.createOrFold<arith::SubIOp>(loc, first, start);
  before = b.createOrFold<arith::MaxSIOp>(loc, before, zero);
  // Both are not negative where there is a place at all.
  Value low = b.createOrFold<arith::CeilDivSIOp>(loc, before, step);
  Value after = b.createOrFold<arith::SubIOp>(loc, end, start);
  after = b.createOrFold<arith::MaxSIOp>(loc, after, zero);
  Value high = b.createOrFold<arith::CeilDivSIOp>(loc, after, step);
  high = b.createOrFold<arith::MinSIOp>(loc, high, kernel);
  Value count = b.createOrFold<arith::SubIOp>(loc, high, low);
  // An average of no places is that of one, a pad.
  return b.createOrFold<arith::MaxSIOp>(loc, count, one);
}

Tensor onnx::divideByCounts(NodeBuilder &n, const Tensor &sums,
                            const Tensor &input, const Window &window,
                            bool countsPads) {
  Indices &ix = n.ix;
  size_t rank = window.kernel.size();
  bool isWhole = true;
  SmallVector<Value> firsts, ends;
  for (size_t i = 0; i < rank; ++i) {
    OpFoldResult zero = ix.constant(0), one = ix.constant(1);
    OpFoldResult first = countsPads ? zero : window.low[i];
    OpFoldResult end = ix.add(window.low[i], input.sizes[i + 2]);
    if (countsPads)
      end = ix.add(end, window.high[i]);
    OpFoldResult extent =
        ix.mul(ix.sub(window.kernel[i], one), ix.constant(window.dilations[i]));
    OpFoldResult last = ix.add(
        ix.mul(ix.sub(window.sizes[i], one), ix.constant(window.strides[i])),
        extent);
    bool fits = getInt(last) && getInt(end) && *getInt(last) < *getInt(end);
    // Without pads, windows that are rounded down fit.
    bool isPlain =
        !n.getBool("ceil_mode") && (countsPads || getInt(window.high[i]) == 0);
    isWhole &= getInt(first) == 0 && (fits || isPlain);
    firsts.push_back(ix.value(first));
    ends.push_back(ix.value(end));
  }
  OpFoldResult count = ix.product(window.kernel);
  if (isWhole && getInt(count))
    return elementwise(n, {sums}, [&](Scalars &s, ValueRange e) {
      return s.div(e[0], s.constantLike(e[0], double(*getInt(count))));
    });
  SmallVector<Value> kernel = ix.values(window.kernel);
  return elementwise(n, {sums}, [&](Scalars &s, ValueRange e) {
    Value count = arith::ConstantIndexOp::create(s.b, s.loc, 1);
    for (size_t i = 0; i < rank; ++i) {
      Value place = linalg::IndexOp::create(s.b, s.loc, i + 2);
      count = s.binary<arith::MulIOp>(
          count, countPlaces(s.b, s.loc, place, firsts[i], ends[i], kernel[i],
                             window.strides[i], window.dilations[i]));
    }
    Value whole =
        arith::IndexCastOp::create(s.b, s.loc, s.b.getI64Type(), count);
    return s.div(e[0], s.convert(whole, ElementType::I64, s.type));
  });
}

/// The place in the unpadded tensor of the element that loops are at, and
/// whether it is none of a pad.
static std::pair<Value, Value>
getPlace(OpBuilder &b, Location loc, const Window &window,
         ArrayRef<Value> sizes, ArrayRef<Value> low, bool isColumnMajor) {
  size_t rank = window.kernel.size();
  auto multiply = [&](Value lhs, Value rhs) {
    return b.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  };
  auto add = [&](Value lhs, Value rhs) {
    return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  };
  SmallVector<Value> places{linalg::IndexOp::create(b, loc, 0),
                            linalg::IndexOp::create(b, loc, 1)};
  Value isInside = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  for (size_t i = 0; i < rank; ++i) {
    Value start =
        multiply(linalg::IndexOp::create(b, loc, 2 + i),
                 arith::ConstantIndexOp::create(b, loc, window.strides[i]));
    Value inner =
        multiply(linalg::IndexOp::create(b, loc, 2 + rank + i),
                 arith::ConstantIndexOp::create(b, loc, window.dilations[i]));
    places.push_back(
        b.createOrFold<arith::SubIOp>(loc, add(start, inner), low[i]));
    // Those before the start are large numbers without a sign.
    Value isBefore = b.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ult, places.back(), sizes[i + 2]);
    isInside = b.createOrFold<arith::AndIOp>(loc, isInside, isBefore);
  }
  SmallVector<size_t> order;
  for (size_t i = 0; i < rank + 2; ++i)
    order.push_back(isColumnMajor && i >= 2 ? rank + 3 - i : i);
  Value place = places[order[0]];
  for (size_t i : ArrayRef(order).drop_front())
    place = add(multiply(place, sizes[i]), places[i]);
  return {arith::IndexCastOp::create(b, loc, b.getI64Type(), place), isInside};
}

std::pair<Tensor, Tensor>
onnx::poolWithPlaces(NodeBuilder &n, const Tensor &input, const Tensor &padded,
                     const Window &window, bool isColumnMajor) {
  Sizes sizes = getPoolSizes(padded, window);
  ElementType type = padded.type;
  Value best = n.fill(type, sizes, getNeutral(n, type, Reduction::Max));
  Value first = n.fill(ElementType::I64, sizes, n.scalar(ElementType::I64, -1));
  PoolLoops loops(n.b, window, 2);
  Value shape = n.empty(type, window.kernel);
  SmallVector<Value> extents = n.ix.values(input.sizes);
  SmallVector<Value> low = n.ix.values(window.low);
  auto op = linalg::GenericOp::create(
      n.b, n.loc, TypeRange{best.getType(), first.getType()},
      ValueRange{n.value(padded), shape}, ValueRange{best, first}, loops.maps,
      loops.kinds, [&](OpBuilder &b, Location loc, ValueRange args) {
        Scalars s(b, loc, type), places(b, loc, ElementType::I64);
        auto [place, isInside] =
            getPlace(b, loc, window, extents, low, isColumnMajor);
        Value isBetter = s.less(args[2], args[0]);
        // Where all elements are the least number, the first one is taken.
        Value isFirst = places.less(args[3], places.constantLike(args[3], 0));
        Value isTaken = s.binary<arith::OrIOp>(
            isBetter, s.binary<arith::AndIOp>(isFirst, isInside));
        SmallVector<Value> results{s.select(isBetter, args[0], args[2]),
                                   s.select(isTaken, place, args[3])};
        linalg::YieldOp::create(b, loc, results);
      });
  return {n.make(type, sizes, op.getResult(0)),
          n.make(ElementType::I64, sizes, op.getResult(1))};
}
