//===- Selections.cpp - Operators that choose elements --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Iteration.h"
#include "../Emit/Reduction.h"
#include "../Emit/Selection.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

//===----------------------------------------------------------------------===//
// NonZero, Compress
//===----------------------------------------------------------------------===//

static void buildNonZero(NodeBuilder &n) {
  Tensor x = n.in(0);
  bool hasRows = x.rank() > 0;
  if (!hasRows)
    x = unsqueeze(n, x, 0);
  Tensor isSet =
      elementwise(n, {x}, ElementType::Bool, [](Scalars &s, ValueRange e) {
        return s.type == ElementType::Bool ? e[0]
                                           : s.notEqual(e[0], s.constant(0));
      });
  Tensor places = findTrue(n, flatten(n, isSet));
  if (!hasRows) {
    Sizes none{n.ix.constant(0), places.sizes[0]};
    return n.set(
        0, n.make(ElementType::I64, none, n.empty(ElementType::I64, none)));
  }
  // Each row has the indices of one dimension.
  SmallVector<Tensor> rows;
  OpFoldResult step = n.ix.constant(1);
  for (int64_t axis = x.rank() - 1; axis >= 0; --axis) {
    SmallVector<Tensor> operands{places};
    for (OpFoldResult size : {step, x.sizes[axis]})
      operands.push_back(n.makeKnown(ElementType::I64, {},
                                     {n.ix.toElement(size, ElementType::I64)}));
    Tensor row = elementwise(n, operands, [&](Scalars &s, ValueRange e) {
      Value whole = s.binary<arith::DivSIOp>(e[0], e[1]);
      return axis == 0 ? whole : s.binary<arith::RemSIOp>(whole, e[2]);
    });
    rows.insert(rows.begin(), unsqueeze(n, row, 0));
    step = n.ix.mul(step, x.sizes[axis]);
  }
  n.set(0, concat(n, rows, 0));
}

static void buildCompress(NodeBuilder &n) {
  bool hasAxis = n.findAttr("axis");
  Tensor x = hasAxis ? n.in(0) : flatten(n, n.in(0));
  int64_t axis = hasAxis ? n.getAxis("axis", 0, x.rank()) : 0;
  const Tensor &mask = n.in(1);
  if (mask.rank() != 1 || mask.type != ElementType::Bool)
    n.fail("its condition is no vector of bools");
  if (n.failed())
    return;
  n.check(n.ix.less(mask.sizes[0], n.ix.add(x.sizes[axis], n.ix.constant(1))),
          "its condition is longer than its input");
  n.set(0, takeAt(n, x, findTrue(n, mask), axis));
}

//===----------------------------------------------------------------------===//
// TopK
//===----------------------------------------------------------------------===//

static void buildTopK(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  int64_t axis = n.getAxis("axis", -1, x.rank());
  OpFoldResult count =
      n.since() < 10 ? n.ix.constant(n.getInt("k", -1)) : readIndex(n, n.in(1));
  if (n.failed())
    return;
  OpFoldResult end = n.ix.add(x.sizes[axis], n.ix.constant(1));
  n.check(n.ix.less(n.ix.constant(-1), count), "its k is negative");
  n.check(n.ix.less(count, end), "its k is larger than the size of its axis");
  auto [values, places] = sort(n, x, makePlaces(n, x.sizes, axis), axis,
                               n.getBool("largest", true));
  n.set(0, sliceAxis(n, values, axis, n.ix.constant(0), count));
  n.set(1, sliceAxis(n, places, axis, n.ix.constant(0), count));
}

//===----------------------------------------------------------------------===//
// Unique
//===----------------------------------------------------------------------===//

/// The order of the rows of a matrix, compared from the first column on: sorted
/// by one column after the other, from the last one.
static FailureOr<Tensor> sortRows(NodeBuilder &n, const Tensor &rows) {
  Tensor places = makePlaces(n, {rows.sizes[0]}, 0);
  OpFoldResult count = rows.sizes[1];
  auto body = [&](OpFoldResult number,
                  ArrayRef<Tensor> carried) -> FailureOr<LoopPass> {
    OpFoldResult column = n.ix.sub(n.ix.sub(count, n.ix.constant(1)), number);
    Tensor keys = sliceAxis(n, rows, 1, column, n.ix.constant(1));
    keys = takeAt(n, squeeze(n, keys, 1), carried[0], 0);
    return LoopPass{n.b.getBoolAttr(true),
                    {sort(n, keys, carried[0], 0, false).second},
                    {}};
  };
  FailureOr<LoopResults> results =
      loop(n, count, n.b.getBoolAttr(true), places, body);
  if (failed(results))
    return failure();
  return results->carried[0];
}

/// True for each sorted row that is unlike the one before it.
static Tensor findStarts(NodeBuilder &n, const Tensor &rows,
                         const Tensor &order) {
  Value read = n.value(rows), places = n.value(order);
  Tensor differs = generate(
      n, ElementType::Bool, {}, rows.sizes,
      [&](Scalars &s, ValueRange place, ValueRange) -> Value {
        OpBuilder &b = s.b;
        auto toIndex = [&](Value value) {
          return b.createOrFold<arith::IndexCastOp>(s.loc, b.getIndexType(),
                                                    value);
        };
        Scalars i(b, s.loc, ElementType::I64), e(b, s.loc, rows.type);
        Value isFirst = i.equal(place[0], i.constant(0));
        Value before =
            i.select(isFirst, place[0], i.sub(place[0], i.constant(1)));
        auto element = [&](Value row) {
          Value at = tensor::ExtractOp::create(b, s.loc, places, toIndex(row));
          return tensor::ExtractOp::create(
              b, s.loc, read, ValueRange{toIndex(at), toIndex(place[1])});
        };
        Value lhs = element(before), rhs = element(place[0]);
        Value isOther = e.notEqual(lhs, rhs);
        // All nan are one.
        if (e.isFloat())
          isOther = e.binary<arith::AndIOp>(
              isOther, e.logicalNot(e.binary<arith::AndIOp>(e.isNan(lhs),
                                                            e.isNan(rhs))));
        return e.binary<arith::OrIOp>(isFirst, isOther);
      });
  Tensor any = reduce(n, differs, {1}, false, Reduction::Sum);
  // Rows without elements are equal.
  return generate(n, ElementType::Bool, {any}, any.sizes,
                  [](Scalars &s, ValueRange place, ValueRange e) {
                    Scalars i(s.b, s.loc, ElementType::I64);
                    return s.binary<arith::OrIOp>(
                        e[0], i.equal(place[0], i.constant(0)));
                  });
}

/// The inverse of a permutation.
static Tensor invert(NodeBuilder &n, const Tensor &places) {
  return permute(n, makePlaces(n, places.sizes, 0), places);
}

static void buildUnique(NodeBuilder &n) {
  if (!isFloat(n.in(0).type) && !isInteger(n.in(0).type) &&
      n.in(0).type != ElementType::Bool)
    return n.fail("elements of type " + getName(n.in(0).type) +
                  " have no order");
  bool hasAxis = n.findAttr("axis");
  Tensor x = hasAxis ? n.in(0) : flatten(n, n.in(0));
  int64_t axis = hasAxis ? n.getAxis("axis", 0, x.rank()) : 0;
  if (n.failed())
    return;
  // Each slice of the axis is a row.
  SmallVector<int64_t> permutation{axis};
  Sizes others;
  for (int64_t i = 0; i < x.rank(); ++i)
    if (i != axis) {
      permutation.push_back(i);
      others.push_back(x.sizes[i]);
    }
  OpFoldResult size = x.sizes[axis], one = n.ix.constant(1);
  Tensor rows =
      reshape(n, transpose(n, x, permutation), {size, n.ix.product(others)});
  FailureOr<Tensor> order = sortRows(n, rows);
  if (failed(order))
    return;
  Tensor isStart = findStarts(n, rows, *order);
  Tensor starts = findTrue(n, isStart);
  Tensor groups = accumulate(n, castTo(n, isStart, ElementType::I64), 0);
  groups = sub(n, groups, n.constantInt(ElementType::I64, 1));
  Tensor inverse = permute(n, groups, *order);
  Tensor indices = takeAt(n, *order, starts, 0);
  // A group ends where the next one starts.
  Tensor whole = n.makeInts({size});
  Sizes ends{starts.sizes[0]};
  Tensor bounds = concat(n, {starts, whole}, 0);
  Tensor counts = sub(n, sliceAxis(n, bounds, 0, one, ends[0]), starts);
  if (!n.getBool("sorted", true)) {
    Tensor found = sort(n, indices, makePlaces(n, ends, 0), 0, false).second;
    indices = takeAt(n, indices, found, 0);
    counts = takeAt(n, counts, found, 0);
    inverse = takeAt(n, invert(n, found), inverse, 0);
  }
  n.set(0, takeAt(n, x, indices, axis));
  n.set(1, indices);
  n.set(2, inverse);
  n.set(3, counts);
}

void mlir::hetero::onnx::addSelections(OperatorTable &table) {
  table.add("NonZero", {9, 13}, buildNonZero);
  table.add("Compress", {9, 11, 28}, buildCompress);
  table.add("TopK", {1, 10, 11, 24}, buildTopK);
  table.add("Unique", {11, 28}, buildUnique);
}
