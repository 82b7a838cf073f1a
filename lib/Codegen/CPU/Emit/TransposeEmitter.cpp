//===- TransposeEmitter.cpp - Loads blocks of a transpose -----------------===//
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

#include "LoopEmitter.h"

#include "Codegen/CPU/Plan/Access.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if the cell's row is one of a block that can be transposed.
bool LoopEmitter::isTransposedBlock(OpOperand *input, const Cell &cell) {
  return plan.rows && !plan.is<LaneSums>() && !cell.mask && cell.lanes > 1 &&
         cell.lanes == plan.lanes && llvm::isPowerOf2_64(cell.lanes) &&
         tileRows % cell.lanes == 0 &&
         !panels.contains(input->getOperandNumber()) &&
         !prepared.contains(input->getOperandNumber()) &&
         classifyAccess(op, input, plan.vectorLoop) == AccessKind::Scattered &&
         classifyAccess(op, input, plan.rows->loop) == AccessKind::Contiguous;
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

/// Loads the block of the cell for all of its rows.
void LoopEmitter::loadTransposed(OpOperand *input, const Cell &cell) {
  int64_t lanes = cell.lanes, first = cell.row / lanes * lanes;
  auto type = cast<RankedTensorType>(input->get().getType());
  auto vector = VectorType::get(lanes, type.getElementType());
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, rewriter.getContext());
  Cell corner = cell;
  corner.row = first;
  Values block;
  for (int64_t lane = 0; lane < lanes; ++lane)
    block.push_back(vector::TransferReadOp::create(
        rewriter, loc, vector, input->get(), getIndices(input, corner, lane),
        map, zero(type.getElementType()), Value(),
        rewriter.getBoolArrayAttr({true})));
  for (int64_t bit = 1; bit < lanes; bit *= 2)
    for (int64_t row = 0; row < lanes; ++row)
      if ((row & bit) == 0)
        std::tie(block[row], block[row | bit]) =
            exchange(rewriter, loc, block[row], block[row | bit], bit, lanes);
  for (auto [row, value] : llvm::enumerate(block))
    loads[std::make_tuple(input->getOperandNumber(),
                          first + static_cast<int64_t>(row), cell.vector,
                          cell.inner)] = value;
}
