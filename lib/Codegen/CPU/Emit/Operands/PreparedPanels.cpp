//===- PreparedPanels.cpp - Panels of constants ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PreparedPanels.h"

#include "Codegen/CPU/Emit/Loops/LoopBlocks.h"
#include "Codegen/CPU/Plan/Access.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::hetero;

PreparedPanels::PreparedPanels(LoopNest &nest, StepGroups &groups)
    : nest(nest), groups(groups) {
  const VectorPlan &plan = nest.plan;
  for (unsigned number : plan.panels.prepared) {
    OpOperand *input = &nest.op->getOpOperand(number);
    ConstantPart part = *findConstantPart(nest.op, input, plan.vectorLoop);
    SmallVector<int64_t> widths = getBlockWidths(plan, part.length);
    if (plan.narrow)
      groupSteps(part, nest.op, input, plan.narrow->loop, plan.narrow->size);
    part.isFlipped = plan.isFlipped(number);
    Value elements = createPanels(nest.rewriter, part, widths);
    inputs[number] = {elements, part, countPanelElements(part, widths), {}, 0};
  }
}

bool PreparedPanels::contains(OpOperand *input) const {
  return inputs.contains(input->getOperandNumber());
}

/// The block is after those of the outer dimensions, the tiles and the blocks
/// before.
void PreparedPanels::enterBlock(const TileShape &shape) {
  for (auto &[number, input] : inputs) {
    const ConstantPart &part = input.part;
    SmallVector<OpFoldResult> places;
    auto symbol = [&](OpFoldResult place) {
      places.push_back(place);
      return nest.symbol(places.size() - 1);
    };
    AffineExpr tile = nest.rewriter.getAffineConstantExpr(0);
    for (const ConstantPart::Outer &of : part.outer)
      tile = tile * part.shape[of.dimension] + symbol(of.offset) +
             symbol(nest.indices[of.loop]);
    tile = tile * (part.shape[part.dimension] / part.length) +
           symbol(part.offset).floorDiv(part.length);
    AffineExpr column = symbol(nest.indices[nest.plan.vectorLoop]);
    OpFoldResult begin = nest.apply(
        tile * input.tileElements + column * part.getDepth(), places);
    input.begin = nest.createIndex(begin);
    input.width = shape.vectors * shape.lanes;
  }
}

Value PreparedPanels::getPlace(OpOperand *input, const Cell &cell) {
  const Panels &from = inputs[input->getOperandNumber()];
  SmallVector<OpFoldResult> steps;
  AffineExpr place = nest.rewriter.getAffineConstantExpr(0);
  for (unsigned loop : getReductionLoops(nest.op, input)) {
    OpFoldResult count = groups.count(loop, nest.sizes[loop]);
    place = place * *getConstantIntValue(count) + nest.symbol(steps.size());
    steps.push_back(groups.getPlace(loop, nest.indices[loop]));
  }
  OpFoldResult inBlock =
      nest.apply((place * from.width + cell.vector * nest.plan.lanes) *
                     nest.plan.getGroup(),
                 steps);
  return arith::AddIOp::create(nest.rewriter, nest.loc, from.begin,
                               nest.createIndex(inBlock));
}

Value PreparedPanels::load(OpOperand *input, const Cell &cell) {
  Value elements = inputs[input->getOperandNumber()].elements;
  auto type = VectorType::get(cell.lanes * nest.plan.getGroup(),
                              getElementTypeOrSelf(elements.getType()));
  return nest.readVector(type, elements, getPlace(input, cell));
}

int64_t PreparedPanels::countStepsOfPart(const Panels &panels) const {
  int64_t steps = panels.part.getDepth();
  if (!nest.plan.panels.depth)
    return steps;
  OpFoldResult all = nest.sizes[nest.reductionLoops.front()];
  return steps / *getConstantIntValue(all) * *nest.plan.panels.depth;
}
