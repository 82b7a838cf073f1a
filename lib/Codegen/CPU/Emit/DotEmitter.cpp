//===- DotEmitter.cpp - Emits sums of groups of products ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps of a reduction in groups. For two steps of a product of bf16:
//
//   %b = B[k, n], B[k + 1, n], B[k, n + 1], B[k + 1, n + 1], ...
//   %a = A[m, k], A[m, k + 1], A[m, k], A[m, k + 1], ...
//   hetero.dot %a, %b into %sums
//
// Panels hold %b, so that its elements change places once for all rows; %a is a
// broadcast of a word of memory. Steps that are left over are a group with
// zeros, of which nothing is read; where their number is not known, and may be
// more than one, each is a group of its own.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "Codegen/CPU/Plan/Access.h"
#include "Codegen/CPU/Plan/DotPlan.h"
#include "hetero/Dialect/Hetero/IR/HeteroVectorOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

/// The loop of the groups from `first` to `end`: full ones, then what is left.
/// Parts of a reduction are made of full ones.
SmallVector<Value> LoopEmitter::emitGroups(OpFoldResult first, OpFoldResult end,
                                           Values carried, BodyFn body) {
  AffineExpr symbol = rewriter.getAffineSymbolExpr(0);
  auto apply = [&](AffineExpr expr, OpFoldResult value) {
    return affine::makeComposedFoldedAffineApply(rewriter, loc, expr, {value});
  };
  groupSteps = plan.getGroup();
  // By group, so that places in panels need no division.
  carried =
      emitLoop(apply(symbol.floorDiv(plan.getGroup()), first),
               apply(symbol.floorDiv(plan.getGroup()), end), 1, carried,
               [&](Value index, Values inner) {
                 Value step = getValueOrCreateConstantIndexOp(
                     rewriter, loc, apply(symbol * plan.getGroup(), index));
                 return body(step, inner);
               });
  if (plan.panels.depth && reductionLoops.front() == plan.getNarrowLoop())
    return carried;
  std::optional<int64_t> size = getConstantIntValue(end);
  groupSteps = size ? *size % plan.getGroup() : 1;
  if (groupSteps != 0)
    carried = emitLoop(roundDown(end, plan.getGroup()), end, groupSteps,
                       carried, body);
  groupSteps = plan.getGroup();
  return carried;
}

/// How many groups `steps` make, and where that of the current step is. Of
/// those with an unknown number of steps that are left, each is one.
OpFoldResult LoopEmitter::countGroups(OpFoldResult steps) {
  AffineExpr symbol = rewriter.getAffineSymbolExpr(0);
  AffineExpr count = symbol.ceilDiv(plan.getGroup());
  if (!getConstantIntValue(steps))
    count = symbol.floorDiv(plan.getGroup()) + symbol % plan.getGroup();
  return affine::makeComposedFoldedAffineApply(rewriter, loc, count, {steps});
}

OpFoldResult LoopEmitter::getGroupPlace(OpFoldResult step) {
  AffineExpr index = rewriter.getAffineSymbolExpr(0);
  AffineExpr size = rewriter.getAffineSymbolExpr(1);
  AffineExpr place = index.floorDiv(plan.getGroup());
  if (groupSteps != plan.getGroup())
    place = index - size.floorDiv(plan.getGroup()) * (plan.getGroup() - 1);
  return affine::makeComposedFoldedAffineApply(
      rewriter, loc, place, {step, sizes[plan.narrow->loop]});
}

/// Calls `load` for each step of the current group.
SmallVector<Value> LoopEmitter::forEachStep(llvm::function_ref<Value()> load) {
  OpFoldResult first = indices[plan.narrow->loop];
  Values values;
  for (int64_t step = 0; step < groupSteps; ++step) {
    indices[plan.narrow->loop] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, rewriter.getAffineSymbolExpr(0) + step, {first});
    values.push_back(load());
  }
  indices[plan.narrow->loop] = first;
  return values;
}

Value LoopEmitter::bitcast(Value vector, int64_t count, Type element) {
  return vector::BitCastOp::create(rewriter, loc,
                                   VectorType::get(count, element), vector);
}

/// The elements of vectors by turns, for a number of vectors that is a power of
/// two.
Value LoopEmitter::interleave(ArrayRef<Value> vectors) {
  if (vectors.size() == 1)
    return vectors.front();
  Values even, odd;
  for (auto [index, vector] : llvm::enumerate(vectors))
    (index % 2 ? odd : even).push_back(vector);
  return vector::InterleaveOp::create(rewriter, loc, interleave(even),
                                      interleave(odd));
}

/// Vectors of the steps of a group, interleaved. As integers, which LLVM
/// shuffles at all widths.
Value LoopEmitter::loadInterleaved(OpOperand *input, const Cell &cell) {
  Values steps = forEachStep([&] { return load(input, input->get(), cell); });
  Type element = getElementTypeOrSelf(input->get().getType());
  Type integer = rewriter.getIntegerType(element.getIntOrFloatBitWidth());
  for (Value &step : steps)
    step = bitcast(step, cell.lanes, integer);
  steps.resize(plan.getGroup(), zero(VectorType::get(cell.lanes, integer)));
  return flip(
      input, bitcast(interleave(steps), cell.lanes * plan.getGroup(), element));
}

/// The elements of the steps of a group, which are next to each other.
Value LoopEmitter::readWord(OpOperand *input, const Cell &cell) {
  auto type = cast<RankedTensorType>(input->get().getType());
  Type element = type.getElementType();
  auto group = VectorType::get(plan.getGroup(), element);
  Value word;
  if (groupSteps == plan.getGroup()) {
    AffineMap map = AffineMap::getMinorIdentityMap(type.getRank(), 1,
                                                   rewriter.getContext());
    word = vector::TransferReadOp::create(
        rewriter, loc, group, input->get(), getIndices(input, cell), map,
        zero(element), Value(), rewriter.getBoolArrayAttr({true}));
  } else {
    Values steps = forEachStep([&]() -> Value {
      return tensor::ExtractOp::create(rewriter, loc, input->get(),
                                       getIndices(input, cell));
    });
    steps.resize(plan.getGroup(), zero(element));
    word = vector::FromElementsOp::create(rewriter, loc, group, steps);
  }
  return vector::ExtractOp::create(rewriter, loc,
                                   bitcast(word, 1, rewriter.getI32Type()), 0);
}

/// A word in all lanes.
Value LoopEmitter::loadWord(OpOperand *input, const Cell &cell) {
  return bitcast(broadcast(readWord(input, cell), cell.lanes),
                 cell.lanes * plan.getGroup(),
                 getElementTypeOrSelf(input->get().getType()));
}

/// A word for each lane.
Value LoopEmitter::collectWords(OpOperand *input, const Cell &cell) {
  unsigned loop = plan.vectorLoop;
  OpFoldResult first = indices[loop];
  Cell corner = cell;
  corner.vector = 0;
  Values words;
  for (int64_t lane = 0; lane < cell.lanes; ++lane) {
    indices[loop] =
        getLanePlace(first, cell.vector * plan.lanes + lane, bool(cell.mask));
    words.push_back(readWord(input, corner));
  }
  indices[loop] = first;
  Value vector = vector::FromElementsOp::create(
      rewriter, loc, VectorType::get(cell.lanes, rewriter.getI32Type()), words);
  return flip(input, bitcast(vector, cell.lanes * plan.getGroup(),
                             getElementTypeOrSelf(input->get().getType())));
}

/// What a cell takes of an input for a group.
Value LoopEmitter::loadGroup(OpOperand *input, const Cell &cell) {
  unsigned number = input->getOperandNumber();
  if (plan.is<LaneSums>())
    return flip(input, load(input, input->get(), cell));
  if (prepared.contains(number))
    return loadPrepared(input, cell);
  if (Value panel = panels.lookup(number))
    return loadFromPanel(input, panel, cell);
  switch (classifyAccess(op, input, plan.vectorLoop)) {
  case AccessKind::Invariant:
    return loadWord(input, cell);
  case AccessKind::Scattered:
    return collectWords(input, cell);
  default:
    return loadInterleaved(input, cell);
  }
}

Value LoopEmitter::emitDot(const Cell &cell, Value sums) {
  NarrowProduct product = *matchNarrowProduct(op);
  Value lhs = cachedLoad(product.lhs, cell);
  Value rhs = cachedLoad(product.rhs, cell);
  if (product.lhsSigned != isFlipped(product.lhs))
    std::swap(lhs, rhs);
  return DotOp::create(rewriter, loc, sums.getType(), lhs, rhs, sums);
}

//===----------------------------------------------------------------------===//
// Two operands with signs, or two without
//===----------------------------------------------------------------------===//
//
// Of integers, the instruction takes one operand with and one without a sign.
// With the uppermost bit inverted, an i8 with a sign is one without that is 128
// more:
//
//   sum(a * b) = sum(a * (b + 128)) - 128 * sum(a)
//
// and the sum of the steps of a row is found in vectors along them.

bool LoopEmitter::isFlipped(OpOperand *input) const {
  return plan.isFlipped(input->getOperandNumber());
}

Value LoopEmitter::flip(OpOperand *input, Value vector) {
  if (!isFlipped(input))
    return vector;
  Value bits = arith::ConstantOp::create(
      rewriter, loc,
      DenseElementsAttr::get(cast<VectorType>(vector.getType()),
                             rewriter.getI8IntegerAttr(-128)));
  return arith::XOrIOp::create(rewriter, loc, vector, bits);
}

/// Adds a vector of steps of `input` to the lanes of `sums`.
Value LoopEmitter::addSteps(OpOperand *input, const Cell &cell, Value mask,
                            Value sums) {
  auto type = cast<RankedTensorType>(input->get().getType());
  int64_t lanes = cast<VectorType>(sums.getType()).getNumElements();
  auto vector = VectorType::get(lanes * plan.getGroup(), type.getElementType());
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, rewriter.getContext());
  Value lhs = arith::ConstantOp::create(
      rewriter, loc,
      DenseElementsAttr::get(vector, rewriter.getI8IntegerAttr(1)));
  Value rhs = vector::TransferReadOp::create(
      rewriter, loc, vector, input->get(), getIndices(input, cell), map,
      zero(type.getElementType()), mask, rewriter.getBoolArrayAttr({true}));
  if (!matchNarrowProduct(op)->rhsSigned)
    std::swap(lhs, rhs);
  return DotOp::create(rewriter, loc, sums.getType(), lhs, rhs, sums);
}

/// What `input` has in the steps that are done now, in lanes to be added up,
/// for each of the cells.
SmallVector<Value> LoopEmitter::sumSteps(OpOperand *input,
                                         ArrayRef<Cell> cells) {
  int64_t lanes = plan.lanes / (plan.is<LaneSums>() ? plan.getGroup() : 1);
  int64_t elements = lanes * plan.getGroup();
  unsigned loop = plan.narrow->loop;
  bool isPart = plan.panels.depth && loop == reductionLoops.front();
  OpFoldResult first = isPart ? firstStep : rewriter.getIndexAttr(0);
  OpFoldResult size =
      isPart ? OpFoldResult(rewriter.getIndexAttr(*plan.panels.depth))
             : sizes[loop];
  AffineExpr a = rewriter.getAffineSymbolExpr(0);
  AffineExpr b = rewriter.getAffineSymbolExpr(1);
  auto add = [&](Value step, Values sums, bool isEnd) {
    indices[loop] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, a + b, {first, OpFoldResult(step)});
    Value mask;
    if (isEnd) {
      OpFoldResult left = affine::makeComposedFoldedAffineApply(
          rewriter, loc, a - b, {size, OpFoldResult(step)});
      mask = vector::CreateMaskOp::create(
          rewriter, loc, VectorType::get(elements, rewriter.getI1Type()),
          getValueOrCreateConstantIndexOp(rewriter, loc, left));
    }
    for (auto [sum, cell] : llvm::zip_equal(sums, cells))
      sum = addSteps(input, cell, mask, sum);
    return sums;
  };
  SmallVector<unsigned> others = reductionLoops;
  llvm::erase(others, loop);
  OpFoldResult whole = roundDown(size, elements);
  Values sums(cells.size(),
              zero(VectorType::get(lanes, rewriter.getI32Type())));
  return emitReductions(others, sums, [&](Values carried) {
    carried = emitLoop(
        rewriter.getIndexAttr(0), whole, elements, carried,
        [&](Value step, Values inner) { return add(step, inner, false); });
    return emitLoop(
        whole, size, elements, carried,
        [&](Value step, Values inner) { return add(step, inner, true); });
  });
}

/// Takes from `sums` what they have too much, or adds what they lack, for steps
/// of the other input with these sums.
Value LoopEmitter::correct(Value sums, Value steps) {
  Type type = steps.getType();
  Value seven = arith::ConstantOp::create(
      rewriter, loc,
      isa<VectorType>(type)
          ? TypedAttr(DenseElementsAttr::get(cast<VectorType>(type),
                                             rewriter.getI32IntegerAttr(7)))
          : TypedAttr(rewriter.getI32IntegerAttr(7)));
  Value offset = arith::ShLIOp::create(rewriter, loc, steps, seven);
  int64_t lanes = cast<VectorType>(sums.getType()).getNumElements();
  offset = broadcast(offset, lanes);
  if (matchNarrowProduct(op)->lhsSigned)
    return arith::SubIOp::create(rewriter, loc, sums, offset);
  return arith::AddIOp::create(rewriter, loc, sums, offset);
}

/// Corrects the sums of a register tile.
SmallVector<Value> LoopEmitter::correctTile(Values accumulators,
                                            ArrayRef<Cell> cells) {
  if (!plan.narrow || !plan.narrow->flipped)
    return accumulators;
  OpOperand *input = op.getDpsInputOperand(1 - *plan.narrow->flipped);
  // Those of a row share what the other input has.
  llvm::MapVector<std::pair<int64_t, int64_t>, Value> steps;
  SmallVector<Cell> firsts;
  for (const Cell &cell : cells)
    if (steps.insert({{cell.row, cell.inner}, Value()}).second)
      firsts.push_back(cell);
  for (auto [entry, sums] : llvm::zip_equal(steps, sumSteps(input, firsts)))
    entry.second = vector::ReductionOp::create(
        rewriter, loc, vector::CombiningKind::ADD, sums);
  for (auto [cell, sums] : llvm::zip_equal(cells, accumulators))
    sums = correct(sums, steps[{cell.row, cell.inner}]);
  return accumulators;
}

/// Corrects the first lanes of each element of the result, which are added up
/// later.
SmallVector<Value> LoopEmitter::correctLanes(Values accumulators,
                                             const TileShape &tile) {
  if (!plan.narrow || !plan.narrow->flipped)
    return accumulators;
  OpOperand *input = op.getDpsInputOperand(1 - *plan.narrow->flipped);
  auto depends = [&](std::optional<unsigned> loop) {
    return loop && classifyAccess(op, input, *loop) != AccessKind::Invariant;
  };
  bool byRow = depends(plan.getRowLoop()),
       byInner = depends(plan.getInnerLoop());
  // Those of a row, or of a column, share what the other input has.
  llvm::MapVector<std::pair<int64_t, int64_t>, Value> steps;
  auto getKey = [&](const Cell &cell) {
    return std::pair(byRow ? cell.row : 0, byInner ? cell.inner : 0);
  };
  SmallVector<Cell> cells = getCells(tile), firsts;
  for (const Cell &cell : cells)
    if (cell.vector == 0 && steps.insert({getKey(cell), Value()}).second)
      firsts.push_back({cell.row, 0, plan.lanes, {}, cell.inner});
  for (auto [entry, sums] : llvm::zip_equal(steps, sumSteps(input, firsts)))
    entry.second = sums;
  for (auto [cell, sums] : llvm::zip_equal(cells, accumulators))
    if (cell.vector == 0)
      sums = correct(sums, steps[getKey(cell)]);
  return accumulators;
}
