//===- PanelPacker.cpp - Copies what all rows of a block read -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PanelPacker.h"

#include "Codegen/CPU/Plan/Access.h"
#include "TransposedPanels.h"

using namespace mlir;
using namespace mlir::hetero;

Value PanelPacker::pack(OpOperand *input, const TileShape &shape) {
  Value panel = context.packed.createEmpty(input, shape);
  return nest.plan.isTransposed(input->getOperandNumber())
             ? TransposedPanels(context, *this).pack(input, panel, shape)
             : packBySteps(input, panel, shape);
}

Value PanelPacker::packBySteps(OpOperand *input, Value panel,
                               const TileShape &shape) {
  Values filled = context.reductions.emit(
      getReductionLoops(nest.op, input), {panel}, [&](Values carried) {
        context.loads.clear();
        return Values{storeStep(input, carried[0], shape)};
      });
  return filled.front();
}

Value PanelPacker::storeStep(OpOperand *input, Value panel,
                             const TileShape &shape) {
  for (const Cell &cell :
       getCells({1, shape.vectors, shape.lanes, shape.mask})) {
    Value vector = nest.broadcast(context.loads.get(input, cell), cell.lanes);
    panel =
        nest.writeVector(vector, panel, context.packed.getIndices(input, cell));
  }
  return panel;
}

bool PanelPacker::canPackWithRows() const {
  const PanelPlan &panels = nest.plan.panels;
  if (panels.packed.empty() || !panels.transposed.empty() || nest.plan.inner)
    return false;
  const TiledLoop &tile = *nest.plan.rows;
  std::optional<int64_t> rows = getConstantIntValue(nest.sizes[tile.loop]);
  return rows && *rows >= tile.count &&
         llvm::all_of(panels.packed, [&](unsigned input) {
           return getReductionLoops(nest.op, &nest.op->getOpOperand(input)) ==
                  nest.reductionLoops;
         });
}
