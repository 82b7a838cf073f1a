//===- PanelEmitter.cpp - Packs what all rows of a block read -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A panel holds the vectors of one block for all steps of the reduction, one
// after the other:
//
//   for k: panel[k, 0 : vectors * lanes] = B[k, n : n + vectors * lanes]
//
// All rows of the result then read it from the nearest caches, from one page
// after the other, and without gaps or masks: what is past the end is zero. The
// first rows copy what they read, so that the copy waits for no memory that the
// sums would not wait for, too.
//
// The panels of a constant are constants: those of all blocks of all tiles, one
// after the other.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "Codegen/CPU/Plan/Access.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

Value LoopEmitter::emitEmptyPanel(OpOperand *input, const TileShape &shape) {
  SmallVector<OpFoldResult> panelSizes;
  for (unsigned loop : getReductionLoops(op, input)) {
    bool isPart = plan.panels.depth && loop == reductionLoops.front();
    OpFoldResult steps =
        isPart ? OpFoldResult(rewriter.getIndexAttr(*plan.panels.depth))
               : sizes[loop];
    panelSizes.push_back(loop == plan.getNarrowLoop() ? countGroups(steps)
                                                      : steps);
  }
  panelSizes.push_back(
      rewriter.getIndexAttr(shape.vectors * shape.lanes * plan.getGroup()));
  Type element = getElementTypeOrSelf(input->get().getType());
  return tensor::EmptyOp::create(rewriter, loc, panelSizes, element);
}

Value LoopEmitter::emitPanel(OpOperand *input, const TileShape &shape) {
  Value panel = emitEmptyPanel(input, shape);
  return llvm::is_contained(plan.panels.transposed, input->getOperandNumber())
             ? emitTransposedPanel(input, panel, shape)
             : emitPanelBySteps(input, panel, shape);
}

Value LoopEmitter::emitPanelBySteps(OpOperand *input, Value panel,
                                    const TileShape &shape) {
  Values filled = emitReductions(
      getReductionLoops(op, input), {panel}, [&](Values carried) {
        loads.clear();
        return Values{storeStepToPanel(input, carried[0], shape)};
      });
  return filled.front();
}

/// True if the first block of rows can copy what it reads: it is there, and
/// goes through all of the panel once.
bool LoopEmitter::packsWithFirstRows() {
  if (plan.panels.packed.empty() || !plan.panels.transposed.empty() ||
      plan.inner)
    return false;
  std::optional<int64_t> rows = getConstantIntValue(sizes[plan.rows->loop]);
  return rows && *rows >= plan.rows->count &&
         llvm::all_of(plan.panels.packed, [&](unsigned input) {
           return getReductionLoops(op, &op->getOpOperand(input)) ==
                  reductionLoops;
         });
}

/// Computes the first block of rows and fills the panels.
SmallVector<Value> LoopEmitter::emitPackingTile(Values tensors,
                                                TileShape shape) {
  TileShape step = shape;
  shape.rows = plan.rows->count;
  indices[plan.rows->loop] = rewriter.getIndexAttr(0);
  SmallVector<Cell> cells = getCells(shape);
  prefetchForEpilogue(cells);
  Values carried = loadTile(tensors, cells);
  size_t sums = carried.size();
  for (unsigned input : plan.panels.packed)
    carried.push_back(emitEmptyPanel(&op->getOpOperand(input), shape));
  carried = emitReductions(reductionLoops, carried, [&](Values inner) {
    Values accumulators(inner.begin(), inner.begin() + sums);
    loads.clear();
    for (auto [position, number] : llvm::enumerate(plan.panels.packed))
      inner[sums + position] = storeStepToPanel(&op->getOpOperand(number),
                                                inner[sums + position], step);
    llvm::copy(accumulate(accumulators, cells), inner.begin());
    return inner;
  });
  for (auto [position, number] : llvm::enumerate(plan.panels.packed))
    panels[number] = carried[sums + position];
  carried.truncate(sums);
  return storeTile(correctTile(carried, cells), tensors, cells);
}

/// Copies the vectors of one step of the reduction. The loads stay known.
Value LoopEmitter::storeStepToPanel(OpOperand *input, Value panel,
                                    const TileShape &shape) {
  for (const Cell &cell : getCells({1, shape.vectors, shape.lanes, shape.mask}))
    panel = storeToPanel(input, panel, cell);
  return panel;
}

/// Where a cell's vector is in the panel.
SmallVector<Value> LoopEmitter::getPanelIndices(OpOperand *input,
                                                const Cell &cell) {
  Values position;
  AffineExpr index = rewriter.getAffineSymbolExpr(0);
  AffineExpr first = rewriter.getAffineSymbolExpr(1);
  for (unsigned loop : getReductionLoops(op, input)) {
    OpFoldResult place = indices[loop];
    if (plan.panels.depth && loop == reductionLoops.front())
      place = affine::makeComposedFoldedAffineApply(
          rewriter, loc, index - first, {place, firstStep});
    if (loop == plan.getNarrowLoop())
      place = getGroupPlace(place);
    position.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, place));
  }
  position.push_back(arith::ConstantIndexOp::create(
      rewriter, loc, cell.vector * plan.lanes * plan.getGroup()));
  return position;
}

Value LoopEmitter::storeToPanel(OpOperand *input, Value panel,
                                const Cell &cell) {
  Value vector = broadcast(cachedLoad(input, cell), cell.lanes);
  auto type = cast<RankedTensorType>(panel.getType());
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, rewriter.getContext());
  auto write = vector::TransferWriteOp::create(
      rewriter, loc, type, vector, panel, getPanelIndices(input, cell), map,
      Value(), rewriter.getBoolArrayAttr({true}));
  return write.getResult();
}

Value LoopEmitter::loadFromPanel(OpOperand *input, Value panel,
                                 const Cell &cell) {
  auto type = cast<RankedTensorType>(panel.getType());
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, rewriter.getContext());
  return vector::TransferReadOp::create(
      rewriter, loc,
      VectorType::get(cell.lanes * plan.getGroup(), type.getElementType()),
      panel, getPanelIndices(input, cell), map, zero(type.getElementType()),
      Value(), rewriter.getBoolArrayAttr({true}));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Widths of the blocks that emitVectorSegments makes of the vector loop.
static SmallVector<int64_t> getBlockWidths(const VectorPlan &plan,
                                           int64_t size) {
  int64_t width = plan.lanes * plan.vectors;
  SmallVector<int64_t> widths(size / width, width);
  if (int64_t rest = size / plan.lanes % plan.vectors)
    widths.push_back(rest * plan.lanes);
  if (int64_t left = size % plan.lanes)
    widths.push_back(std::max<int64_t>(2, llvm::PowerOf2Ceil(left)));
  return widths;
}

void LoopEmitter::createPreparedPanels() {
  for (unsigned number : plan.panels.prepared) {
    ConstantPart part =
        *findConstantPart(op, &op->getOpOperand(number), plan.vectorLoop);
    SmallVector<int64_t> widths = getBlockWidths(plan, part.length);
    if (plan.getGroup() > 1)
      mlir::hetero::groupSteps(part, op, &op->getOpOperand(number),
                               plan.narrow->loop, plan.getGroup());
    part.isFlipped = plan.isFlipped(number);
    Value panels = createPanels(rewriter, part, widths);
    prepared[number] = {panels, part, countPanelElements(part, widths), {}, 0};
  }
}

/// Where in the panels the current block of vectors begins: behind those of the
/// outer dimensions, the tiles and the blocks before.
void LoopEmitter::findPreparedBlock(const TileShape &shape) {
  for (auto &[number, input] : prepared) {
    const ConstantPart &part = input.part;
    SmallVector<OpFoldResult> places;
    auto symbol = [&](OpFoldResult place) {
      places.push_back(place);
      return rewriter.getAffineSymbolExpr(places.size() - 1);
    };
    AffineExpr tile = rewriter.getAffineConstantExpr(0);
    for (const ConstantPart::Outer &of : part.outer)
      tile = tile * part.shape[of.dimension] + symbol(of.offset) +
             symbol(indices[of.loop]);
    tile = tile * (part.shape[part.dimension] / part.length) +
           symbol(part.offset).floorDiv(part.length);
    AffineExpr column = symbol(indices[plan.vectorLoop]);
    OpFoldResult begin = affine::makeComposedFoldedAffineApply(
        rewriter, loc, tile * input.tileElements + column * part.getDepth(),
        places);
    input.begin = getValueOrCreateConstantIndexOp(rewriter, loc, begin);
    input.width = shape.vectors * shape.lanes;
  }
}

/// Where a cell's vector is in the panels.
Value LoopEmitter::getPreparedPlace(OpOperand *input, const Cell &cell) {
  const Prepared &from = prepared[input->getOperandNumber()];
  SmallVector<OpFoldResult> loops;
  AffineExpr place = rewriter.getAffineConstantExpr(0);
  for (unsigned loop : getReductionLoops(op, input)) {
    AffineExpr index = rewriter.getAffineSymbolExpr(loops.size());
    bool isGroup = loop == plan.getNarrowLoop();
    OpFoldResult count = isGroup ? countGroups(sizes[loop]) : sizes[loop];
    place = place * *getConstantIntValue(count) + index;
    loops.push_back(isGroup ? getGroupPlace(indices[loop]) : indices[loop]);
  }
  OpFoldResult inBlock = affine::makeComposedFoldedAffineApply(
      rewriter, loc,
      (place * from.width + cell.vector * plan.lanes) * plan.getGroup(), loops);
  return arith::AddIOp::create(
      rewriter, loc, from.begin,
      getValueOrCreateConstantIndexOp(rewriter, loc, inBlock));
}

Value LoopEmitter::loadPrepared(OpOperand *input, const Cell &cell) {
  const Prepared &from = prepared[input->getOperandNumber()];
  Type element = getElementTypeOrSelf(from.panels.getType());
  return vector::TransferReadOp::create(
      rewriter, loc, VectorType::get(cell.lanes * plan.getGroup(), element),
      from.panels, getPreparedPlace(input, cell),
      rewriter.getMultiDimIdentityMap(1), zero(element), Value(),
      rewriter.getBoolArrayAttr({true}));
}
