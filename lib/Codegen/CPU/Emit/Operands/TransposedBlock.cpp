//===- TransposedBlock.cpp - Loads blocks of a transpose ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input that is scattered along the vectors and contiguous along the rows,
//
//   y[i, j] = x[j, i]
//
// is read in blocks of as many rows as lanes: one vector for each lane, of
// which steps that exchange halves, quarters, eighths ... make one for each
// row.
//
//===----------------------------------------------------------------------===//

#include "TransposedBlock.h"

#include "Codegen/CPU/Plan/Access.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::isInTransposedBlock(const LoopNest &nest, OpOperand *input,
                                       const Cell &cell) {
  const VectorPlan &plan = nest.plan;
  return plan.rows && !plan.is<LaneSums>() && !cell.mask && cell.lanes > 1 &&
         cell.lanes == plan.lanes && llvm::isPowerOf2_64(cell.lanes) &&
         nest.tileRows % cell.lanes == 0 &&
         classifyAccess(nest.op, input, plan.vectorLoop) ==
             AccessKind::Scattered &&
         classifyAccess(nest.op, input, plan.rows->loop) ==
             AccessKind::Contiguous;
}

/// Exchanges elements of the two vectors whose lanes differ in `bit`.
static std::pair<Value, Value> exchange(OpBuilder &builder, Location loc,
                                        Value first, Value second, int64_t bit,
                                        int64_t lanes) {
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    bool isUpper = lane & bit;
    low.push_back(isUpper ? lanes + (lane ^ bit) : lane);
    high.push_back(isUpper ? lanes + lane : lane | bit);
  }
  return {vector::ShuffleOp::create(builder, loc, first, second, low),
          vector::ShuffleOp::create(builder, loc, first, second, high)};
}

SmallVector<Value> mlir::hetero::loadTransposedBlock(LoopNest &nest,
                                                     OpOperand *input,
                                                     const Cell &corner) {
  int64_t lanes = corner.lanes;
  auto type =
      VectorType::get(lanes, getElementTypeOrSelf(input->get().getType()));
  Values block;
  for (int64_t lane = 0; lane < lanes; ++lane)
    block.push_back(nest.readVector(type, input->get(),
                                    nest.getIndices(input, corner, lane)));
  for (int64_t bit = 1; bit < lanes; bit *= 2)
    for (int64_t row = 0; row < lanes; ++row)
      if ((row & bit) == 0)
        std::tie(block[row], block[row | bit]) = exchange(
            nest.rewriter, nest.loc, block[row], block[row | bit], bit, lanes);
  return block;
}
