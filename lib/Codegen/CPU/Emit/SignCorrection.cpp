//===- SignCorrection.cpp - Sums of operands with equal signs -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of integers, the instruction for dot products takes one operand with and one
// without a sign. With the uppermost bit inverted, an i8 with a sign is one
// without that is 128 more:
//
//   sum(a * b) = sum(a * (b + 128)) - 128 * sum(a)
//
// and the sum of the steps of a row is found in vectors along them.
//
//===----------------------------------------------------------------------===//

#include "SignCorrection.h"

#include "Codegen/CPU/Plan/DotPlan.h"
#include "hetero/Dialect/Hetero/IR/HeteroVectorOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::hetero;

/// The input that the flipped one is multiplied with; null if none is flipped.
OpOperand *SignCorrection::findOther() {
  const std::optional<NarrowSteps> &narrow = nest.plan.narrow;
  return narrow && narrow->flipped
             ? nest.op.getDpsInputOperand(1 - *narrow->flipped)
             : nullptr;
}

/// Adds a vector of steps of `input` to the lanes of `sums`.
Value SignCorrection::addSteps(OpOperand *input, const Cell &cell, Value mask,
                               Value sums) {
  int64_t lanes = cast<VectorType>(sums.getType()).getNumElements();
  auto type = VectorType::get(lanes * nest.plan.getGroup(),
                              getElementTypeOrSelf(input->get().getType()));
  Value lhs = arith::ConstantOp::create(
      nest.rewriter, nest.loc,
      DenseElementsAttr::get(type, nest.rewriter.getI8IntegerAttr(1)));
  Value rhs =
      nest.readVector(type, input->get(), nest.getIndices(input, cell), mask);
  if (!matchNarrowProduct(nest.op)->rhsSigned)
    std::swap(lhs, rhs);
  return DotOp::create(nest.rewriter, nest.loc, sums.getType(), lhs, rhs, sums);
}

/// What `input` has in the steps that are done now, in lanes to be added up,
/// for each of the cells.
SmallVector<Value> SignCorrection::sumSteps(OpOperand *input,
                                            ArrayRef<Cell> cells) {
  const VectorPlan &plan = nest.plan;
  int64_t lanes = plan.lanes / (plan.is<LaneSums>() ? plan.getGroup() : 1);
  int64_t elements = lanes * plan.getGroup();
  unsigned loop = plan.narrow->loop;
  OpFoldResult size = nest.countSteps(loop);
  OpFoldResult whole = nest.roundDown(size, elements);
  auto add = [&](Value step, Values sums, Value mask) {
    for (auto [sum, cell] : llvm::zip_equal(sums, cells))
      sum = addSteps(input, cell, mask, sum);
    return sums;
  };
  auto enter = [&](Value step) {
    nest.indices[loop] =
        nest.apply(nest.symbol(0) + nest.symbol(1),
                   {nest.getFirstStep(loop), OpFoldResult(step)});
  };
  auto emitMask = [&](Value step) -> Value {
    OpFoldResult left =
        nest.apply(nest.symbol(0) - nest.symbol(1), {size, OpFoldResult(step)});
    return vector::CreateMaskOp::create(
        nest.rewriter, nest.loc,
        VectorType::get(elements, nest.rewriter.getI1Type()),
        nest.createIndex(left));
  };
  SmallVector<unsigned> others = nest.reductionLoops;
  llvm::erase(others, loop);
  Values sums(cells.size(), nest.createZero(VectorType::get(
                                lanes, nest.rewriter.getI32Type())));
  return context.reductions.emit(others, sums, [&](Values carried) {
    carried = nest.emitLoop(nest.index(0), whole, elements, carried,
                            [&](Value step, Values inner) {
                              enter(step);
                              return add(step, inner, Value());
                            });
    return nest.emitLoop(whole, size, elements, carried,
                         [&](Value step, Values inner) {
                           enter(step);
                           return add(step, inner, emitMask(step));
                         });
  });
}

/// Takes from `sums` what they have too much, or adds what they lack, for steps
/// of the other input with these sums.
Value SignCorrection::correct(Value sums, Value steps) {
  Type type = steps.getType();
  TypedAttr seven = nest.rewriter.getI32IntegerAttr(7);
  if (auto vector = dyn_cast<VectorType>(type))
    seven = DenseElementsAttr::get(vector, Attribute(seven));
  Value bits = arith::ConstantOp::create(nest.rewriter, nest.loc, seven);
  Value offset = arith::ShLIOp::create(nest.rewriter, nest.loc, steps, bits);
  int64_t lanes = cast<VectorType>(sums.getType()).getNumElements();
  offset = nest.broadcast(offset, lanes);
  if (matchNarrowProduct(nest.op)->lhsSigned)
    return arith::SubIOp::create(nest.rewriter, nest.loc, sums, offset);
  return arith::AddIOp::create(nest.rewriter, nest.loc, sums, offset);
}

SmallVector<Value> SignCorrection::correctTile(Values accumulators,
                                               ArrayRef<Cell> cells) {
  OpOperand *input = findOther();
  if (!input)
    return accumulators;
  // Those of a row share what the other input has.
  llvm::MapVector<std::pair<int64_t, int64_t>, Value> steps;
  SmallVector<Cell> firsts;
  for (const Cell &cell : cells)
    if (steps.insert({{cell.row, cell.inner}, Value()}).second)
      firsts.push_back(cell);
  for (auto [entry, sums] : llvm::zip_equal(steps, sumSteps(input, firsts)))
    entry.second = vector::ReductionOp::create(
        nest.rewriter, nest.loc, vector::CombiningKind::ADD, sums);
  for (auto [cell, sums] : llvm::zip_equal(cells, accumulators))
    sums = correct(sums, steps[{cell.row, cell.inner}]);
  return accumulators;
}

SmallVector<Value> SignCorrection::correctLanes(Values accumulators,
                                                const TileShape &tile) {
  OpOperand *input = findOther();
  if (!input)
    return accumulators;
  bool byRow = nest.isAlong(input, nest.plan.getRowLoop());
  bool byInner = nest.isAlong(input, nest.plan.getInnerLoop());
  // Those of a row, or of a column, share what the other input has.
  llvm::MapVector<std::pair<int64_t, int64_t>, Value> steps;
  auto getKey = [&](const Cell &cell) {
    return std::pair(byRow ? cell.row : 0, byInner ? cell.inner : 0);
  };
  SmallVector<Cell> cells = getCells(tile), firsts;
  for (const Cell &cell : cells)
    if (cell.vector == 0 && steps.insert({getKey(cell), Value()}).second)
      firsts.push_back({cell.row, 0, nest.plan.lanes, {}, cell.inner});
  for (auto [entry, sums] : llvm::zip_equal(steps, sumSteps(input, firsts)))
    entry.second = sums;
  for (auto [cell, sums] : llvm::zip_equal(cells, accumulators))
    if (cell.vector == 0)
      sums = correct(sums, steps[getKey(cell)]);
  return accumulators;
}
