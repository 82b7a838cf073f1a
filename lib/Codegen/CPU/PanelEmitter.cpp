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
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

Value LoopEmitter::emitEmptyPanel(OpOperand *input, const TileShape &shape) {
  SmallVector<OpFoldResult> panelSizes;
  for (unsigned loop : getReductionLoops(op, input))
    panelSizes.push_back(sizes[loop]);
  panelSizes.push_back(rewriter.getIndexAttr(shape.vectors * shape.lanes));
  Type element = getElementTypeOrSelf(input->get().getType());
  return tensor::EmptyOp::create(rewriter, loc, panelSizes, element);
}

Value LoopEmitter::emitPanel(OpOperand *input, const TileShape &shape) {
  Value panel = emitEmptyPanel(input, shape);
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
  if (plan.packed.empty() || plan.innerLoop >= 0)
    return false;
  std::optional<int64_t> rows = getConstantIntValue(sizes[plan.rowLoop]);
  return rows && *rows >= plan.rows &&
         llvm::all_of(plan.packed, [&](unsigned input) {
           return getReductionLoops(op, &op->getOpOperand(input)) ==
                  reductionLoops;
         });
}

/// Computes the first block of rows and fills the panels.
SmallVector<Value> LoopEmitter::emitPackingTile(Values tensors,
                                                TileShape shape) {
  TileShape step = shape;
  shape.rows = plan.rows;
  indices[plan.rowLoop] = rewriter.getIndexAttr(0);
  SmallVector<Cell> cells = getCells(shape);
  Values carried = loadTile(tensors, cells);
  size_t sums = carried.size();
  for (unsigned input : plan.packed)
    carried.push_back(emitEmptyPanel(&op->getOpOperand(input), shape));
  carried = emitReductions(reductionLoops, carried, [&](Values inner) {
    Values accumulators(inner.begin(), inner.begin() + sums);
    loads.clear();
    for (auto [position, number] : llvm::enumerate(plan.packed))
      inner[sums + position] = storeStepToPanel(&op->getOpOperand(number),
                                                inner[sums + position], step);
    prefetchForPanel(step);
    llvm::copy(accumulate(accumulators, cells), inner.begin());
    return inner;
  });
  for (auto [position, number] : llvm::enumerate(plan.packed))
    panels[number] = carried[sums + position];
  carried.truncate(sums);
  return storeTile(carried, tensors, cells);
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
  for (unsigned loop : getReductionLoops(op, input))
    position.push_back(
        getValueOrCreateConstantIndexOp(rewriter, loc, indices[loop]));
  position.push_back(
      arith::ConstantIndexOp::create(rewriter, loc, cell.vector * plan.lanes));
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
      rewriter, loc, VectorType::get(cell.lanes, type.getElementType()), panel,
      getPanelIndices(input, cell), map, zero(type.getElementType()), Value(),
      rewriter.getBoolArrayAttr({true}));
}
