//===- Placed.cpp - Operators that compute from places --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Layout.h"
#include "../Emit/Reduction.h"
#include "../Emit/Selection.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

//===----------------------------------------------------------------------===//
// Range
//===----------------------------------------------------------------------===//

/// ceil((limit - start) / step), not less than 0; sizes stay known.
static OpFoldResult countRange(NodeBuilder &n, ElementType type,
                               ArrayRef<OpFoldResult> ends) {
  Indices &ix = n.ix;
  Scalars s(n.b, n.loc, type);
  OpFoldResult zero = ix.constant(0);
  if (!isFloat(type)) {
    OpFoldResult start = ix.fromElement(ends[0], isUnsigned(type));
    OpFoldResult limit = ix.fromElement(ends[1], isUnsigned(type));
    OpFoldResult step = ix.fromElement(ends[2], isUnsigned(type));
    OpFoldResult isDown = ix.less(step, zero);
    OpFoldResult room =
        ix.select(isDown, ix.sub(start, limit), ix.sub(limit, start));
    OpFoldResult size = ix.select(isDown, ix.sub(zero, step), step);
    if (getInt(size))
      return ix.max(ix.ceilDiv(room, size), zero);
    Value count = n.b.createOrFold<arith::CeilDivSIOp>(n.loc, ix.value(room),
                                                       ix.value(size));
    return ix.max(getAsOpFoldResult(count), zero);
  }
  // Ends of narrow floats are exact as doubles, and so is their difference.
  auto wide = [&](OpFoldResult end) {
    return s.convert(n.scalarValue(end), type, ElementType::F64);
  };
  Scalars d(n.b, n.loc, ElementType::F64);
  Value count = d.div(d.sub(wide(ends[1]), wide(ends[0])), wide(ends[2]));
  count = d.max(d.math<math::CeilOp>(count), d.constant(0));
  Value whole = d.convert(count, ElementType::F64, ElementType::I64);
  return ix.fromElement(getAsOpFoldResult(whole));
}

static void buildRange(NodeBuilder &n) {
  ElementType type = n.in(0).type;
  SmallVector<OpFoldResult> ends;
  for (unsigned i = 0; i < 3; ++i) {
    ends.push_back(n.element(n.in(i)));
    if (n.in(i).type != type)
      n.fail("its inputs are of unlike types");
  }
  if (n.failed())
    return;
  bool isZero = !isFloat(type) && getInt(n.ix.fromElement(ends[2])) == 0;
  if (isZero)
    return n.fail("its step is 0");
  Sizes sizes{countRange(n, type, ends)};
  std::optional<int64_t> count = getInt(sizes[0]);
  auto makeElement = [&](Scalars &s, Value place, Value start, Value step) {
    ElementType wide = getAccumulator(s.type);
    Scalars w(s.b, s.loc, wide);
    Value number = w.convert(place, ElementType::I64, wide);
    Value made = w.add(w.convert(start, s.type, wide),
                       w.mul(number, w.convert(step, s.type, wide)));
    return w.convert(made, wide, s.type);
  };
  if (count && *count <= 64) {
    // Numbers that are known stay so.
    SmallVector<OpFoldResult> elements;
    Scalars s(n.b, n.loc, type);
    for (int64_t i = 0; i < *count; ++i)
      elements.push_back(getAsOpFoldResult(
          makeElement(s, s.constant(ElementType::I64, double(i)),
                      n.scalarValue(ends[0]), n.scalarValue(ends[2]))));
    return n.set(0, n.makeKnown(type, sizes, elements));
  }
  Value start = n.scalarValue(ends[0]), step = n.scalarValue(ends[2]);
  n.set(0, generate(n, type, {}, sizes,
                    [&](Scalars &s, ValueRange place, ValueRange) {
                      return makeElement(s, place[0], start, step);
                    }));
}

//===----------------------------------------------------------------------===//
// OneHot, Hardmax, EyeLike, Trilu
//===----------------------------------------------------------------------===//

static void buildOneHot(NodeBuilder &n) {
  const Tensor &indices = n.in(0), &values = n.in(2);
  int64_t rank = indices.rank() + 1;
  int64_t axis = n.getAxis("axis", -1, rank);
  OpFoldResult depth = n.element(castTo(n, n.in(1), ElementType::I64));
  if (values.rank() != 1)
    n.fail("its values are no vector");
  if (n.failed())
    return;
  OpFoldResult size = n.ix.fromElement(depth);
  Sizes sizes = indices.sizes;
  sizes.insert(sizes.begin() + axis, size);
  n.check(n.ix.less(n.ix.constant(-1), size), "its depth is negative");
  Tensor places = unsqueeze(n, castTo(n, indices, ElementType::I64), axis);
  auto pick = [&](int64_t place) {
    return squeeze(
        n, sliceKnownAxis(n, values, 0, n.ix.constant(place), n.ix.constant(1)),
        0);
  };
  Tensor count = n.makeKnown(ElementType::I64, {}, depth);
  n.set(0, generate(n, values.type, {places, count, pick(0), pick(1)}, sizes,
                    [&](Scalars &s, ValueRange place, ValueRange e) {
                      Scalars i(s.b, s.loc, ElementType::I64);
                      Value isNegative = i.less(e[0], i.constant(0));
                      Value wrapped =
                          i.select(isNegative, i.add(e[0], e[1]), e[0]);
                      return s.select(i.equal(wrapped, place[axis]), e[3],
                                      e[2]);
                    }));
}

/// 1 at the first of the largest elements along an axis.
static Tensor hardmax(NodeBuilder &n, const Tensor &x, int64_t axis) {
  Tensor best = argReduce(n, x, axis, true, /*isMax=*/true, false);
  return generate(n, x.type, {best}, x.sizes,
                  [&](Scalars &s, ValueRange place, ValueRange e) {
                    Scalars i(s.b, s.loc, ElementType::I64);
                    return s.select(i.equal(e[0], place[axis]), s.constant(1),
                                    s.constant(0));
                  });
}

static void buildHardmax(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  bool isOld = n.since() < 13;
  int64_t axis = n.getAxis("axis", isOld ? 1 : -1, x.rank());
  if (n.failed())
    return;
  if (!isOld)
    return n.set(0, hardmax(n, x, axis));
  // All dimensions from the axis on are one.
  ArrayRef<OpFoldResult> sizes = x.sizes;
  Tensor joined = reshape(n, x,
                          {n.ix.product(sizes.take_front(axis)),
                           n.ix.product(sizes.drop_front(axis))});
  n.set(0, reshape(n, hardmax(n, joined, 1), x.sizes));
}

static void buildEyeLike(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  auto type = ElementType(n.getInt("dtype", int64_t(x.type)));
  int64_t shift = n.getInt("k", 0);
  if (x.rank() != 2 || !n.storage(type) || isComplex(type))
    return n.fail("its input is no matrix, or its type is not supported");
  n.set(0, generate(n, type, {}, x.sizes,
                    [&](Scalars &s, ValueRange place, ValueRange) {
                      Scalars i(s.b, s.loc, ElementType::I64);
                      Value column = i.add(place[0], i.constant(shift));
                      return s.select(i.equal(column, place[1]), s.constant(1),
                                      s.constant(0));
                    }));
}

static void buildTrilu(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t rank = x.rank();
  bool isUpper = n.getBool("upper", true);
  Tensor shift = n.constantInt(ElementType::I64, 0);
  if (n.has(1))
    shift = reshape(n, n.in(1), {});
  if (rank < 2 || shift.type != ElementType::I64)
    n.fail("its input has less than two dimensions, or its k is no int64");
  if (n.failed())
    return;
  Tensor none = n.make(x.type, {}, n.value(n.constant(x.type, 0)));
  n.set(0, generate(n, x.type, {x, shift, none}, x.sizes,
                    [&](Scalars &s, ValueRange place, ValueRange e) {
                      Scalars i(s.b, s.loc, ElementType::I64);
                      Value edge = i.add(place[rank - 2], e[1]);
                      Value column = place[rank - 1];
                      Value isKept = isUpper ? i.lessEqual(edge, column)
                                             : i.lessEqual(column, edge);
                      return s.select(isKept, e[0], e[2]);
                    }));
}

//===----------------------------------------------------------------------===//
// Tile, ReverseSequence, CumSum, CumProd
//===----------------------------------------------------------------------===//

static void buildTile(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  Sizes repeats(x.rank(), n.ix.constant(1));
  if (n.since() < 6) {
    OpFoldResult tiles = readIndex(n, n.in(1));
    int64_t axis = n.axis(readInt(n, n.in(2), "the axis"), x.rank());
    if (!n.failed())
      repeats[axis] = tiles;
  } else {
    repeats = n.indices(n.in(1));
  }
  if (!n.failed() && int64_t(repeats.size()) != x.rank())
    n.fail("its repeats are not as many as its dimensions");
  if (n.failed())
    return;
  std::optional<int64_t> whole =
      x.rank() == 1 ? getInt(repeats[0]) : std::nullopt;
  if (auto known = n.known(x);
      known && whole && *whole >= 0 &&
      *whole * int64_t(known->size()) <= kMaxKnownElements) {
    SmallVector<OpFoldResult> all;
    for (int64_t i = 0; i < *whole; ++i)
      llvm::append_range(all, *known);
    return n.set(0, n.makeKnown(x.type, {n.ix.constant(all.size())}, all));
  }
  // Each dimension gets one before it that broadcasts.
  Sizes narrow, broad, joined;
  for (auto [size, repeat] : llvm::zip_equal(x.sizes, repeats)) {
    n.check(n.ix.less(n.ix.constant(-1), repeat), "a repeat is negative");
    bool isRepeated = getInt(repeat) != 1;
    if (isRepeated) {
      narrow.push_back(n.ix.constant(1));
      broad.push_back(repeat);
    }
    narrow.push_back(size);
    broad.push_back(size);
    joined.push_back(n.ix.mul(size, repeat));
  }
  if (Tensor(x.type, joined).count() == 0)
    return n.set(0, n.make(x.type, joined, n.empty(x.type, joined)));
  n.set(0, reshape(n, broadcastTo(n, reshape(n, x, narrow), broad), joined));
}

static void buildReverseSequence(NodeBuilder &n) {
  const Tensor &x = n.in(0), &lengths = n.in(1);
  int64_t time = n.getAxis("time_axis", 0, x.rank());
  int64_t batch = n.getAxis("batch_axis", 1, x.rank());
  if (x.rank() < 2 || lengths.rank() != 1 || time == batch)
    n.fail("its axes or lengths do not fit its input");
  if (n.failed())
    return;
  SmallVector<int64_t> after;
  for (int64_t i = batch + 1; i < x.rank(); ++i)
    after.push_back(i - batch);
  Tensor ends = lengths;
  ends.sizes[0] = n.checkEqual(lengths.sizes[0], x.sizes[batch],
                               "its lengths are not as many as its batch");
  if (n.failed())
    return;
  ends = n.make(lengths.type, ends.sizes, n.value(lengths));
  n.set(0, gather(n, x, unsqueeze(n, ends, after), x.sizes,
                  [&](OpBuilder &b, Location loc, ValueRange at,
                      ValueRange elements) {
                    SmallVector<Value> place(at);
                    Value end = arith::IndexCastOp::create(
                        b, loc, b.getIndexType(), elements[0]);
                    Value isInside = arith::CmpIOp::create(
                        b, loc, arith::CmpIPredicate::slt, at[time], end);
                    Value one = arith::ConstantIndexOp::create(b, loc, 1);
                    Value last = arith::SubIOp::create(b, loc, end, one);
                    Value back = arith::SubIOp::create(b, loc, last, at[time]);
                    place[time] = arith::SelectOp::create(b, loc, isInside,
                                                          back, at[time]);
                    return place;
                  }));
}

/// The tensor backwards along an axis.
static Tensor flip(NodeBuilder &n, const Tensor &x, int64_t axis) {
  SmallVector<AxisRange> ranges = getWholeRanges(n, x);
  ranges[axis].start = n.ix.sub(x.sizes[axis], n.ix.constant(1));
  ranges[axis].step = -1;
  return takeRanges(n, x, ranges);
}

template <bool isProduct> static void buildAccumulation(NodeBuilder &n) {
  Tensor x = n.in(0);
  int64_t axis = n.axis(readInt(n, n.in(1), "the axis"), x.rank());
  bool isReverse = n.getBool("reverse");
  if (n.failed())
    return;
  if (isReverse)
    x = flip(n, x, axis);
  x = accumulate(n, x, axis, n.getBool("exclusive"),
                 n.scalar(x.type, isProduct ? 1 : 0),
                 [](Scalars &s, Value before, Value next) {
                   return isProduct ? s.mul(before, next) : s.add(before, next);
                 });
  n.set(0, isReverse ? flip(n, x, axis) : x);
}

void mlir::hetero::onnx::addPlaced(OperatorTable &table) {
  table.add("Range", {11, 27}, buildRange);
  table.add("OneHot", {9, 11, 28}, buildOneHot);
  table.add("Hardmax", {1, 11, 13}, buildHardmax);
  table.add("EyeLike", {9, 22}, buildEyeLike);
  table.add("Trilu", {14}, buildTrilu);
  table.add("Tile", {1, 6, 13}, buildTile);
  table.add("ReverseSequence", {10, 28}, buildReverseSequence);
  table.add("CumSum", {11, 14}, buildAccumulation<false>);
  table.add("CumProd", {26}, buildAccumulation<true>);
}
