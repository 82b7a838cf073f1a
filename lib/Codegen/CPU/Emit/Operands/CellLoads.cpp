//===- CellLoads.cpp - What the cells of a body read ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CellLoads.h"

#include "TransposedBlock.h"

using namespace mlir;
using namespace mlir::hetero;

Value CellLoads::get(OpOperand *input, const Cell &cell) {
  if (!isa<RankedTensorType>(input->get().getType()))
    return input->get();
  const VectorPlan &plan = nest.plan;
  auto key = std::make_tuple(
      input->getOperandNumber(),
      nest.isAlong(input, plan.getRowLoop()) ? cell.row : 0,
      nest.isAlong(input, plan.vectorLoop) ? cell.vector : 0,
      nest.isAlong(input, plan.getInnerLoop()) ? cell.inner : 0);
  if (!loaded.contains(key) && !vectors.hasPanel(input) &&
      isInTransposedBlock(nest, input, cell))
    loadBlock(input, cell);
  if (Value value = loaded.lookup(key))
    return value;
  Value value =
      plan.narrow ? groups.load(input, cell) : vectors.load(input, cell);
  loaded[key] = value;
  return value;
}

void CellLoads::set(OpOperand *input, const Cell &cell, Value value) {
  loaded[std::make_tuple(input->getOperandNumber(), cell.row, cell.vector,
                         cell.inner)] = value;
}

/// Loads the block of the cell for all of its rows.
void CellLoads::loadBlock(OpOperand *input, const Cell &cell) {
  Cell corner = cell;
  corner.row = cell.row / cell.lanes * cell.lanes;
  for (auto [row, value] :
       llvm::enumerate(loadTransposedBlock(nest, input, corner))) {
    Cell of = corner;
    of.row += row;
    set(input, of, value);
  }
}
