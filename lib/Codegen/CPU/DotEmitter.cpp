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

#include "DotPlan.h"
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
  groupSteps = plan.group;
  // By group, so that places in panels need no division.
  carried = emitLoop(apply(symbol.floorDiv(plan.group), first),
                     apply(symbol.floorDiv(plan.group), end), 1, carried,
                     [&](Value index, Values inner) {
                       Value step = getValueOrCreateConstantIndexOp(
                           rewriter, loc, apply(symbol * plan.group, index));
                       return body(step, inner);
                     });
  if (plan.depth != 0 && reductionLoops.front() == unsigned(plan.groupLoop))
    return carried;
  std::optional<int64_t> size = getConstantIntValue(end);
  groupSteps = size ? *size % plan.group : 1;
  if (groupSteps != 0)
    carried =
        emitLoop(roundDown(end, plan.group), end, groupSteps, carried, body);
  groupSteps = plan.group;
  return carried;
}

/// How many groups `steps` make, and where that of the current step is. Of
/// those with an unknown number of steps that are left, each is one.
OpFoldResult LoopEmitter::countGroups(OpFoldResult steps) {
  AffineExpr symbol = rewriter.getAffineSymbolExpr(0);
  AffineExpr count = symbol.ceilDiv(plan.group);
  if (!getConstantIntValue(steps))
    count = symbol.floorDiv(plan.group) + symbol % plan.group;
  return affine::makeComposedFoldedAffineApply(rewriter, loc, count, {steps});
}

OpFoldResult LoopEmitter::getGroupPlace(OpFoldResult step) {
  AffineExpr index = rewriter.getAffineSymbolExpr(0);
  AffineExpr size = rewriter.getAffineSymbolExpr(1);
  AffineExpr place = index.floorDiv(plan.group);
  if (groupSteps != plan.group)
    place = index - size.floorDiv(plan.group) * (plan.group - 1);
  return affine::makeComposedFoldedAffineApply(rewriter, loc, place,
                                               {step, sizes[plan.groupLoop]});
}

/// Calls `load` for each step of the current group.
SmallVector<Value> LoopEmitter::forEachStep(llvm::function_ref<Value()> load) {
  OpFoldResult first = indices[plan.groupLoop];
  Values values;
  for (int64_t step = 0; step < groupSteps; ++step) {
    indices[plan.groupLoop] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, rewriter.getAffineSymbolExpr(0) + step, {first});
    values.push_back(load());
  }
  indices[plan.groupLoop] = first;
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
  Value first = interleave(even), second = interleave(odd);
  int64_t count = cast<VectorType>(first.getType()).getNumElements();
  SmallVector<int64_t> order;
  for (int64_t lane = 0; lane < count; ++lane)
    order.append({lane, count + lane});
  return vector::ShuffleOp::create(rewriter, loc, first, second, order);
}

/// Vectors of the steps of a group, interleaved. As integers, which LLVM
/// shuffles at all widths.
Value LoopEmitter::loadInterleaved(OpOperand *input, const Cell &cell) {
  Values steps = forEachStep([&] { return load(input, input->get(), cell); });
  Type element = getElementTypeOrSelf(input->get().getType());
  Type integer = rewriter.getIntegerType(element.getIntOrFloatBitWidth());
  for (Value &step : steps)
    step = bitcast(step, cell.lanes, integer);
  steps.resize(plan.group, zero(VectorType::get(cell.lanes, integer)));
  return bitcast(interleave(steps), cell.lanes * plan.group, element);
}

/// The elements of the steps of a group, which are next to each other, in all
/// lanes.
Value LoopEmitter::loadWord(OpOperand *input, const Cell &cell) {
  auto type = cast<RankedTensorType>(input->get().getType());
  Type element = type.getElementType();
  auto group = VectorType::get(plan.group, element);
  Value word;
  if (groupSteps == plan.group) {
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
    steps.resize(plan.group, zero(element));
    word = vector::FromElementsOp::create(rewriter, loc, group, steps);
  }
  Value scalar = vector::ExtractOp::create(
      rewriter, loc, bitcast(word, 1, rewriter.getI32Type()), 0);
  return bitcast(broadcast(scalar, cell.lanes), cell.lanes * plan.group,
                 element);
}

/// What a cell takes of an input for a group.
Value LoopEmitter::loadGroup(OpOperand *input, const Cell &cell) {
  unsigned number = input->getOperandNumber();
  if (plan.reducesLanes)
    return load(input, input->get(), cell);
  if (prepared.contains(number))
    return loadPrepared(input, cell);
  if (Value panel = panels.lookup(number))
    return loadFromPanel(input, panel, cell);
  return classifyAccess(op, input, plan.vectorLoop) == AccessKind::Invariant
             ? loadWord(input, cell)
             : loadInterleaved(input, cell);
}

Value LoopEmitter::emitDot(const Cell &cell, Value sums) {
  NarrowProduct product = *matchNarrowProduct(op);
  Value lhs = cachedLoad(product.lhs, cell);
  Value rhs = cachedLoad(product.rhs, cell);
  return DotOp::create(rewriter, loc, sums.getType(), lhs, rhs, sums);
}
