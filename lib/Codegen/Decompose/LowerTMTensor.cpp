//===- LowerTMTensor.cpp - Lowers tm_tensor inside of regions -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scan becomes a linalg.generic whose accumulator moves along a reduction:
//
//   %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x) outs(%y, %a)
//     ->
//   %0:2 = linalg.generic {["parallel", "reduction"]} ins(%x) outs(%y, %a) {
//   ^bb0(%next, %old, %before):
//     %f = ... %before, %next
//     %r = arith.select %first, %next, %f
//     linalg.yield %r, %r
//   }
//
// The others become loops over single elements: a scatter over its updates, a
// sort over runs of growing length that are merged between two tensors, a topk
// over the elements, of which those that come before the last candidate find
// their place among the candidates.
//
//===----------------------------------------------------------------------===//

#include "LowerTMTensor.h"

#include "Attention.h"
#include "Scatter.h"
#include "Sort.h"
#include "TMTensorLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::tm_tensor;

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

/// What the region makes of two elements where `when` holds, else `otherwise`.
static Value combine(OpBuilder &builder, ScanOp op, Value when, Value before,
                     Value next, Value otherwise) {
  Location loc = op.getLoc();
  if (op.isBodySpeculatable()) {
    Value made = cloneBody(builder, op, {before, next}).front();
    return arith::SelectOp::create(builder, loc, when, made, otherwise);
  }
  auto branch = scf::IfOp::create(
      builder, loc, when,
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc, cloneBody(inner, op, {before, next}));
      },
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc, otherwise);
      });
  return branch.getResult(0);
}

static void lowerScan(RewriterBase &rewriter, ScanOp op) {
  Location loc = op.getLoc();
  Value input = op.getInputs()[0];
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  int64_t dim = op.getDimension();
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  AffineMap rows = all.dropResult(dim);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators[dim] = utils::IteratorType::reduction;
  SmallVector<Value> inits(op.getOutputs());
  SmallVector<AffineMap> maps = {all, all, rows};
  // What comes next is not the last element.
  if (!op.getInclusive()) {
    inits.push_back(inits[1]);
    maps.push_back(rows);
  }
  Value last = arith::SubIOp::create(
      rewriter, loc, Elements(rewriter, op).size(input, dim),
      arith::ConstantIndexOp::create(rewriter, loc, 1));
  auto generic = linalg::GenericOp::create(
      rewriter, loc, ValueRange(inits).getTypes(), input, inits, maps,
      iterators, [&](OpBuilder &builder, Location, ValueRange arguments) {
        Elements elements(builder, op);
        Value next = arguments.front(), before = arguments.back();
        Value place = linalg::IndexOp::create(builder, loc, dim);
        if (op.getInclusive()) {
          Value isLater = elements.compare(arith::CmpIPredicate::ne, place,
                                           elements.constant(0));
          Value made = combine(builder, op, isLater, before, next, next);
          linalg::YieldOp::create(builder, loc, {made, made});
          return;
        }
        Value isUsed = elements.compare(arith::CmpIPredicate::ne, place, last);
        Value made = combine(builder, op, isUsed, before, next, before);
        linalg::YieldOp::create(builder, loc, {before, before, made});
      });
  generic->setAttr(kWrittenAsAttrName,
                   rewriter.getStringAttr(op->getName().getStringRef()));
  rewriter.replaceOp(op, generic.getResults().take_front(2));
}

//===----------------------------------------------------------------------===//
// Topk
//===----------------------------------------------------------------------===//

namespace {
/// A value and its index.
using Candidate = std::pair<Value, Value>;
} // namespace

/// Whether the value comes before the other one, and whether it or, of equal
/// ones, its index does.
static std::pair<Value, Value> comesBefore(Elements &elements, TopkOp op,
                                           Candidate a, Candidate b) {
  OpBuilder &builder = elements.builder;
  Location loc = elements.loc;
  Value before = cloneBody(builder, op, {a.first, b.first}).front();
  Value after = cloneBody(builder, op, {b.first, a.first}).front();
  Value isEqual = elements.compare(arith::CmpIPredicate::eq, before, after);
  Value isLower =
      elements.compare(arith::CmpIPredicate::slt, a.second, b.second);
  Value wins = arith::OrIOp::create(
      builder, loc, before,
      arith::AndIOp::create(builder, loc, isEqual, isLower));
  return {before, wins};
}

/// Moves along the candidates with an element that takes the place of the first
/// that it comes before, and goes on with that one.
static SmallVector<Value> insertCandidate(OpBuilder &builder, TopkOp op,
                                          ValueRange row, Value count,
                                          Candidate candidate,
                                          ValueRange tensors) {
  Location loc = op.getLoc();
  Elements outer(builder, op);
  SmallVector<Value> state = {candidate.first, candidate.second};
  llvm::append_range(state, tensors);
  auto loop = scf::ForOp::create(
      builder, loc, outer.constant(0), count, outer.constant(1), state,
      [&](OpBuilder &inner, Location, Value position, ValueRange values) {
        Elements elements(inner, op);
        SmallVector<Value> place(row);
        place[op.getDimension()] = position;
        Candidate kept = {elements.load(values[2], place),
                          elements.load(values[3], place)};
        auto [before, wins] =
            comesBefore(elements, op, {values[0], values[1]}, kept);
        Value value = elements.select(before, values[0], kept.first);
        Value index = elements.select(wins, values[1], kept.second);
        SmallVector<Value> next = {
            elements.select(before, kept.first, values[0]),
            elements.select(wins, kept.second, values[1]),
            elements.store(value, values[2], place),
            elements.store(index, values[3], place)};
        scf::YieldOp::create(inner, loc, next);
      });
  return llvm::to_vector_of<Value>(loop.getResults().drop_front(2));
}

/// Compares one element with the last candidate, which most lose.
static SmallVector<Value> visitElement(OpBuilder &builder, TopkOp op,
                                       ValueRange row, Value position,
                                       Value count, ValueRange tensors) {
  Location loc = op.getLoc();
  Elements elements(builder, op);
  SmallVector<Value> place(row), last(row);
  place[op.getDimension()] = position;
  last[op.getDimension()] =
      arith::SubIOp::create(builder, loc, count, elements.constant(1));
  Candidate candidate;
  candidate.first = elements.load(op.getInputs()[0], place);
  candidate.second =
      op.getInputs().size() == 2
          ? elements.load(op.getInputs()[1], place)
          : arith::IndexCastOp::create(
                builder, loc, getElementTypeOrSelf(tensors[1]), position)
                .getResult();
  Candidate kept = {elements.load(tensors[0], last),
                    elements.load(tensors[1], last)};
  Value wins = comesBefore(elements, op, candidate, kept).second;
  auto branch = scf::IfOp::create(
      builder, loc, wins,
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(
            inner, loc,
            insertCandidate(inner, op, row, count, candidate, tensors));
      },
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc, tensors);
      });
  return llvm::to_vector_of<Value>(branch.getResults());
}

static void lowerTopk(RewriterBase &rewriter, TopkOp op) {
  Location loc = op.getLoc();
  Elements outer(rewriter, op);
  Value count = outer.size(op.getOutputs()[0], op.getDimension());
  Value zero = outer.constant(0);
  // Without candidates there is nothing to compare with.
  Value isEmpty = outer.compare(arith::CmpIPredicate::eq, count, zero);
  Value length = outer.select(isEmpty, zero,
                              outer.size(op.getInputs()[0], op.getDimension()));
  auto visitRow = [&](OpBuilder &builder, ValueRange row, ValueRange tensors) {
    auto loop = scf::ForOp::create(
        builder, loc, zero, length,
        arith::ConstantIndexOp::create(builder, loc, 1), tensors,
        [&](OpBuilder &inner, Location, Value position, ValueRange values) {
          scf::YieldOp::create(
              inner, loc,
              visitElement(inner, op, row, position, count, values));
        });
    return llvm::to_vector_of<Value>(loop.getResults());
  };
  rewriter.replaceOp(op,
                     buildRows(rewriter, op, op.getOutputs()[0],
                               op.getDimension(), op.getOutputs(), visitRow));
}

void mlir::hetero::lowerTMTensor(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<ScanOp, ScatterOp, SortOp, TopkOp, AttentionOp>(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (auto scan = dyn_cast<ScanOp>(op))
      lowerScan(rewriter, scan);
    else if (auto scatter = dyn_cast<ScatterOp>(op))
      lowerScatter(rewriter, scatter);
    else if (auto sort = dyn_cast<SortOp>(op))
      lowerSort(rewriter, sort);
    else if (auto topk = dyn_cast<TopkOp>(op))
      lowerTopk(rewriter, topk);
    else
      lowerAttention(rewriter, cast<AttentionOp>(op));
  }
}
