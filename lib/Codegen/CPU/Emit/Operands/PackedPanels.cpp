//===- PackedPanels.cpp - Panels that are copied --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedPanels.h"

#include "Codegen/CPU/Plan/Access.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

Value PackedPanels::lookup(OpOperand *input) const {
  return panels.lookup(input->getOperandNumber());
}

void PackedPanels::set(OpOperand *input, Value panel) {
  panels[input->getOperandNumber()] = panel;
}

Value PackedPanels::createEmpty(OpOperand *input, const TileShape &shape) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : getReductionLoops(nest.op, input))
    sizes.push_back(groups.count(loop, nest.countSteps(loop)));
  sizes.push_back(
      nest.index(shape.vectors * shape.lanes * nest.plan.getGroup()));
  Type element = getElementTypeOrSelf(input->get().getType());
  return tensor::EmptyOp::create(nest.rewriter, nest.loc, sizes, element);
}

SmallVector<Value> PackedPanels::getIndices(OpOperand *input,
                                            const Cell &cell) {
  Values indices;
  for (unsigned loop : getReductionLoops(nest.op, input)) {
    OpFoldResult step = nest.indices[loop];
    if (nest.isSplit(loop))
      step =
          nest.apply(nest.symbol(0) - nest.symbol(1), {step, nest.firstStep});
    indices.push_back(nest.createIndex(groups.getPlace(loop, step)));
  }
  int64_t column = cell.vector * nest.plan.lanes * nest.plan.getGroup();
  indices.push_back(
      arith::ConstantIndexOp::create(nest.rewriter, nest.loc, column));
  return indices;
}

Value PackedPanels::load(OpOperand *input, const Cell &cell) {
  Value panel = lookup(input);
  auto type = VectorType::get(cell.lanes * nest.plan.getGroup(),
                              getElementTypeOrSelf(panel.getType()));
  return nest.readVector(type, panel, getIndices(input, cell));
}
