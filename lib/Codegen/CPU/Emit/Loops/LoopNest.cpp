//===- LoopNest.cpp - The loops around the insertion point ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

LoopNest::LoopNest(RewriterBase &rewriter, linalg::GenericOp op,
                   const VectorPlan &plan)
    : rewriter(rewriter), op(op), plan(plan), loc(op.getLoc()) {
  rewriter.setInsertionPoint(op);
  auto structured = cast<linalg::LinalgOp>(op.getOperation());
  for (Range range : structured.createLoopRanges(rewriter, loc))
    sizes.push_back(range.size);
  indices.assign(sizes.size(), index(0));
  firstStep = index(0);
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (loop == plan.vectorLoop || loop == plan.getRowLoop() ||
        loop == plan.getInnerLoop())
      continue;
    (iterator == utils::IteratorType::parallel ? parallelLoops : reductionLoops)
        .push_back(loop);
  }
}

SmallVector<Value> LoopNest::emitLoop(OpFoldResult lower, OpFoldResult upper,
                                      int64_t step, Values carried,
                                      LoopBodyFn body) {
  std::optional<int64_t> from = getConstantIntValue(lower);
  std::optional<int64_t> to = getConstantIntValue(upper);
  if (lower == upper || (from && to && *from >= *to))
    return carried;
  Value begin = createIndex(lower);
  if (from && to && *to - *from <= step)
    return body(begin, carried);
  Value end = createIndex(upper);
  Value stride = arith::ConstantIndexOp::create(rewriter, loc, step);
  auto loop = scf::ForOp::create(rewriter, loc, begin, end, stride, carried);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  Values yielded = body(loop.getInductionVar(),
                        llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
  // With no carried values the builder has put the terminator there already.
  if (!carried.empty())
    scf::YieldOp::create(rewriter, loc, yielded);
  return Values(loop.getResults());
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

AffineExpr LoopNest::symbol(unsigned position) const {
  return rewriter.getAffineSymbolExpr(position);
}

OpFoldResult LoopNest::index(int64_t value) const {
  return rewriter.getIndexAttr(value);
}

OpFoldResult LoopNest::apply(AffineExpr expr, ArrayRef<OpFoldResult> values) {
  return affine::makeComposedFoldedAffineApply(rewriter, loc, expr, values);
}

Value LoopNest::createIndex(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(rewriter, loc, value);
}

OpFoldResult LoopNest::roundDown(OpFoldResult size, int64_t step) {
  if (step == 1)
    return size;
  return apply(symbol(0).floorDiv(step) * step, {size});
}

OpFoldResult LoopNest::clamp(OpFoldResult value, OpFoldResult lower,
                             OpFoldResult upper) {
  AffineMap both = rewriter.getMultiDimIdentityMap(2);
  OpFoldResult raised =
      affine::makeComposedFoldedAffineMax(rewriter, loc, both, {value, lower});
  return affine::makeComposedFoldedAffineMin(rewriter, loc, both,
                                             {raised, upper});
}

//===----------------------------------------------------------------------===//
// Steps of a reduction
//===----------------------------------------------------------------------===//

bool LoopNest::isSplit(unsigned loop) const {
  return plan.panels.depth && loop == reductionLoops.front();
}

OpFoldResult LoopNest::getFirstStep(unsigned loop) const {
  return isSplit(loop) ? firstStep : index(0);
}

OpFoldResult LoopNest::getStepsEnd(unsigned loop) {
  return isSplit(loop) ? apply(symbol(0) + *plan.panels.depth, {firstStep})
                       : sizes[loop];
}

OpFoldResult LoopNest::countSteps(unsigned loop) const {
  return isSplit(loop) ? index(*plan.panels.depth) : sizes[loop];
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

bool LoopNest::isAlong(OpOperand *operand, std::optional<unsigned> loop) const {
  linalg::GenericOp generic = op;
  return loop && generic.getMatchingIndexingMap(operand).isFunctionOfDim(*loop);
}

OpFoldResult LoopNest::getIndex(unsigned loop, const Cell &cell, int64_t lane) {
  int64_t offset = 0;
  if (loop == plan.getRowLoop())
    offset = cell.row;
  if (loop == plan.vectorLoop)
    offset = cell.vector * plan.lanes + lane;
  if (loop == plan.getInnerLoop())
    offset = cell.inner;
  return offset == 0 ? indices[loop] : apply(symbol(0) + offset, indices[loop]);
}

SmallVector<OpFoldResult> LoopNest::getPlace(OpOperand *operand,
                                             const Cell &cell, int64_t lane) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<OpFoldResult> loops, place;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    loops.push_back(isAlong(operand, loop) ? getIndex(loop, cell, lane)
                                           : index(0));
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    place.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, loc, map.getSubMap({i}), loops));
  return place;
}

SmallVector<Value> LoopNest::getIndices(OpOperand *operand, const Cell &cell,
                                        int64_t lane) {
  return getValueOrCreateConstantIndexOp(rewriter, loc,
                                         getPlace(operand, cell, lane));
}

OpFoldResult LoopNest::getLanePlace(OpFoldResult first, int64_t lane,
                                    bool isMasked) {
  SmallVector<AffineExpr> places = {symbol(0) + lane};
  if (isMasked)
    places.push_back(symbol(1) - 1);
  return affine::makeComposedFoldedAffineMin(
      rewriter, loc, AffineMap::get(0, 2, places, rewriter.getContext()),
      {first, sizes[plan.vectorLoop]});
}

SmallVector<Value>
LoopNest::readLanes(const Cell &cell,
                    llvm::function_ref<Value(const Cell &)> read) {
  OpFoldResult &index = indices[plan.vectorLoop];
  OpFoldResult first = index;
  Cell corner = cell;
  corner.vector = 0;
  Values lanes;
  for (int64_t lane = 0; lane < cell.lanes; ++lane) {
    index =
        getLanePlace(first, cell.vector * plan.lanes + lane, bool(cell.mask));
    lanes.push_back(read(corner));
  }
  index = first;
  return lanes;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Vectors are along the last dimension.
static AffineMap getVectorMap(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return AffineMap::getMinorIdentityMap(type.getRank(), 1, type.getContext());
}

Value LoopNest::createZero(Type type) {
  return arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
}

Value LoopNest::broadcast(Value value, int64_t lanes) {
  if (lanes == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      rewriter, loc, VectorType::get(lanes, value.getType()), value);
}

Value LoopNest::bitcast(Value vector, int64_t count, Type element) {
  return vector::BitCastOp::create(rewriter, loc,
                                   VectorType::get(count, element), vector);
}

Value LoopNest::readVector(VectorType type, Value source, ValueRange place,
                           Value mask) {
  return vector::TransferReadOp::create(rewriter, loc, type, source, place,
                                        getVectorMap(source),
                                        createZero(type.getElementType()), mask,
                                        rewriter.getBoolArrayAttr({true}));
}

Value LoopNest::writeVector(Value vector, Value tensor, ValueRange place,
                            Value mask) {
  auto write = vector::TransferWriteOp::create(
      rewriter, loc, tensor.getType(), vector, tensor, place,
      getVectorMap(tensor), mask, rewriter.getBoolArrayAttr({true}));
  return write.getResult();
}
