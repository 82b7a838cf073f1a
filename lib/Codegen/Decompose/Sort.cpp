//===- Sort.cpp - Loops that merge sorted runs ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs of one, two, four elements and so on are merged from the tensor into one
// beside it and back, so that after both the tensor is carried on as it came.
//
//===----------------------------------------------------------------------===//

#include "Sort.h"

#include "TMTensorLoops.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::tm_tensor;

namespace {
/// Merges runs of one row.
class RowSorter {
public:
  RowSorter(OpBuilder &builder, SortOp op, ValueRange row, Value length)
      : elements(builder, op), op(op), row(row), length(length) {}

  /// Merges neighbouring runs of `width` elements of `from` into `to`.
  SmallVector<Value> merge(Value width, ValueRange from, ValueRange to);

private:
  SmallVector<Value> load(ValueRange tensors, Value position) {
    SmallVector<Value> values;
    for (Value tensor : tensors)
      values.push_back(elements.load(tensor, at(position)));
    return values;
  }
  SmallVector<Value> at(Value position) {
    SmallVector<Value> place(row);
    place[op.getDimension()] = position;
    return place;
  }
  /// What the region says of two elements in this order.
  Value mayPrecede(ValueRange first, ValueRange second) {
    SmallVector<Value> arguments;
    for (auto [a, b] : llvm::zip(first, second))
      arguments.append({a, b});
    return cloneBody(elements.builder, op, arguments).front();
  }
  SmallVector<Value> mergeOne(Value start, Value width, ValueRange from,
                              ValueRange to);
  SmallVector<Value> step(Value position, Value middle, Value end,
                          ValueRange from, ValueRange state);

  Elements elements;
  SortOp op;
  SmallVector<Value> row;
  Value length;
};
} // namespace

/// Writes the element at `position`: `state` is where the left and the right
/// run are, and the tensors. Equal elements come from the left.
SmallVector<Value> RowSorter::step(Value position, Value middle, Value end,
                                   ValueRange from, ValueRange state) {
  OpBuilder &builder = elements.builder;
  Location loc = elements.loc;
  Value left = state[0], right = state[1];
  Value last =
      arith::SubIOp::create(builder, loc, length, elements.constant(1));
  SmallVector<Value> a =
      load(from, arith::MinSIOp::create(builder, loc, left, last));
  SmallVector<Value> b =
      load(from, arith::MinSIOp::create(builder, loc, right, last));
  Value isLess = arith::AndIOp::create(builder, loc, mayPrecede(b, a),
                                       elements.negate(mayPrecede(a, b)));
  Value noLeft = elements.compare(arith::CmpIPredicate::sge, left, middle);
  Value hasRight = elements.compare(arith::CmpIPredicate::slt, right, end);
  Value takesRight =
      arith::AndIOp::create(builder, loc, hasRight,
                            arith::OrIOp::create(builder, loc, noLeft, isLess));
  Value step = arith::IndexCastUIOp::create(builder, loc,
                                            builder.getIndexType(), takesRight);
  Value other = arith::SubIOp::create(builder, loc, elements.constant(1), step);
  SmallVector<Value> next = {arith::AddIOp::create(builder, loc, left, other),
                             arith::AddIOp::create(builder, loc, right, step)};
  for (auto [x, y, tensor] : llvm::zip(a, b, state.drop_front(2)))
    next.push_back(elements.store(elements.select(takesRight, y, x), tensor,
                                  at(position)));
  return next;
}

SmallVector<Value> RowSorter::mergeOne(Value start, Value width,
                                       ValueRange from, ValueRange to) {
  OpBuilder &builder = elements.builder;
  Location loc = elements.loc;
  auto advance = [&](Value position) -> Value {
    Value sum = arith::AddIOp::create(builder, loc, position, width);
    return arith::MinSIOp::create(builder, loc, sum, length);
  };
  Value middle = advance(start);
  Value end = advance(middle);
  SmallVector<Value> state = {start, middle};
  llvm::append_range(state, to);
  auto loop = scf::ForOp::create(
      builder, loc, start, end, elements.constant(1), state,
      [&](OpBuilder &inner, Location, Value position, ValueRange carried) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(inner.getInsertionBlock(),
                                  inner.getInsertionPoint());
        SmallVector<Value> next = step(position, middle, end, from, carried);
        scf::YieldOp::create(builder, loc, next);
      });
  return llvm::to_vector_of<Value>(loop.getResults().drop_front(2));
}

SmallVector<Value> RowSorter::merge(Value width, ValueRange from,
                                    ValueRange to) {
  OpBuilder &builder = elements.builder;
  Location loc = elements.loc;
  Value both = arith::AddIOp::create(builder, loc, width, width);
  auto loop = scf::ForOp::create(
      builder, loc, elements.constant(0), length, both, to,
      [&](OpBuilder &inner, Location, Value start, ValueRange carried) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(inner.getInsertionBlock(),
                                  inner.getInsertionPoint());
        scf::YieldOp::create(builder, loc,
                             mergeOne(start, width, from, carried));
      });
  return llvm::to_vector_of<Value>(loop.getResults());
}

/// How often runs grow fourfold until one has all elements.
static Value countRounds(Elements &elements, Value length) {
  OpBuilder &builder = elements.builder;
  Location loc = elements.loc;
  Value one = elements.constant(1);
  Value before = arith::SubIOp::create(
      builder, loc, arith::MaxSIOp::create(builder, loc, length, one), one);
  Type i64 = builder.getI64Type();
  Value zeros = math::CountLeadingZerosOp::create(
      builder, loc, arith::IndexCastOp::create(builder, loc, i64, before));
  Value odd = arith::ConstantIntOp::create(builder, loc, 65, 64);
  Value two = arith::ConstantIntOp::create(builder, loc, 2, 64);
  Value rounds = arith::DivUIOp::create(
      builder, loc, arith::SubIOp::create(builder, loc, odd, zeros), two);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    rounds);
}

void mlir::hetero::tm_tensor::lowerSort(RewriterBase &rewriter, SortOp op) {
  Location loc = op.getLoc();
  Elements outer(rewriter, op);
  size_t count = op.getOutputs().size();
  int64_t dim = op.getDimension();
  Value first = op.getOutputs()[0];
  Value length = outer.size(first, dim);
  Value rounds = countRounds(outer, length);
  SmallVector<Value> carried(op.getOutputs());
  for (Value tensor : op.getOutputs())
    carried.push_back(tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, tensor),
        getElementTypeOrSelf(tensor)));
  auto sortRow = [&](OpBuilder &builder, ValueRange row, ValueRange tensors) {
    Elements elements(builder, op);
    SmallVector<Value> state = {elements.constant(1)};
    llvm::append_range(state, tensors);
    auto loop = scf::ForOp::create(
        builder, loc, elements.constant(0), rounds, elements.constant(1), state,
        [&](OpBuilder &inner, Location, Value, ValueRange values) {
          Elements numbers(inner, op);
          Value width = values[0];
          Value twice = arith::AddIOp::create(inner, loc, width, width);
          RowSorter sorter(inner, op, row, length);
          SmallVector<Value> there = sorter.merge(width, values.slice(1, count),
                                                  values.drop_front(1 + count));
          SmallVector<Value> next = {
              arith::AddIOp::create(inner, loc, twice, twice)};
          llvm::append_range(
              next, sorter.merge(twice, there, values.slice(1, count)));
          llvm::append_range(next, there);
          scf::YieldOp::create(inner, loc, next);
        });
    return llvm::to_vector_of<Value>(loop.getResults().drop_front(1));
  };
  SmallVector<Value> results =
      buildRows(rewriter, op, first, dim, carried, sortRow);
  rewriter.replaceOp(op, ArrayRef(results).take_front(count));
}
