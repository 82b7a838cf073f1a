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
// after the other, and without gaps or masks: what is past the end is zero.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

Value LoopEmitter::emitPanel(OpOperand *input, const TileShape &shape) {
  SmallVector<unsigned> loops = getReductionLoops(op, input);
  SmallVector<OpFoldResult> panelSizes;
  for (unsigned loop : loops)
    panelSizes.push_back(sizes[loop]);
  panelSizes.push_back(rewriter.getIndexAttr(shape.vectors * shape.lanes));
  Type element = getElementTypeOrSelf(input->get().getType());
  Value panel = tensor::EmptyOp::create(rewriter, loc, panelSizes, element);
  Values filled = emitReductions(loops, {panel}, [&](Values carried) {
    for (const Cell &cell :
         getCells({1, shape.vectors, shape.lanes, shape.mask}))
      carried[0] = storeToPanel(input, carried[0], cell);
    return carried;
  });
  return filled.front();
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
  Value vector = broadcast(load(input, input->get(), cell), cell.lanes);
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
