//===- VectorLoads.cpp - Loads of vectors ---------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorLoads.h"

#include "Codegen/CPU/Plan/Access.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

bool VectorLoads::hasPanel(OpOperand *input) const {
  return prepared.contains(input) || packed.lookup(input);
}

Value VectorLoads::loadFromPanel(OpOperand *input, const Cell &cell) {
  if (prepared.contains(input))
    return prepared.load(input, cell);
  return packed.lookup(input) ? packed.load(input, cell) : Value();
}

Value VectorLoads::load(OpOperand *input, const Cell &cell) {
  return load(input, border.getSource(input), cell);
}

Value VectorLoads::load(OpOperand *operand, Value source, const Cell &cell) {
  if (Value vector = loadFromPanel(operand, cell))
    return vector;
  if (border.isOf(operand) && border.isOutside())
    return border.createValue();
  AccessKind kind = classifyAccess(nest.op, operand, nest.plan.vectorLoop);
  if (cell.lanes == 1 || kind == AccessKind::Invariant)
    return tensor::ExtractOp::create(nest.rewriter, nest.loc, source,
                                     getIndices(operand, cell));
  if (kind == AccessKind::Scattered)
    return loadLanes(operand, source, cell);
  if (kind == AccessKind::Strided)
    return loadStrided(operand, source, cell);
  auto type =
      VectorType::get(cell.lanes, getElementTypeOrSelf(source.getType()));
  return nest.readVector(type, source, getIndices(operand, cell), cell.mask);
}

SmallVector<Value> VectorLoads::getIndices(OpOperand *operand,
                                           const Cell &cell) {
  SmallVector<OpFoldResult> place = nest.getPlace(operand, cell);
  if (border.isOf(operand))
    border.moveToImage(place);
  return getValueOrCreateConstantIndexOp(nest.rewriter, nest.loc, place);
}

/// A load for each lane.
Value VectorLoads::loadLanes(OpOperand *operand, Value source,
                             const Cell &cell) {
  Values lanes = nest.readLanes(cell, [&](const Cell &corner) {
    return tensor::ExtractOp::create(nest.rewriter, nest.loc, source,
                                     getIndices(operand, corner))
        .getResult();
  });
  return vector::FromElementsOp::create(
      nest.rewriter, nest.loc,
      VectorType::get(cell.lanes, lanes.front().getType()), lanes);
}

/// One load from the first to the last element, of which a shuffle keeps every
/// stride-th. Nothing past the last element is touched.
Value VectorLoads::loadStrided(OpOperand *operand, Value source,
                               const Cell &cell) {
  unsigned loop = nest.plan.vectorLoop;
  int64_t stride = getAccessStride(nest.op, operand, loop);
  int64_t length = cell.lanes * stride;
  auto maskType = VectorType::get(length, nest.rewriter.getI1Type());
  Value mask;
  if (cell.mask) {
    OpFoldResult count =
        nest.apply((nest.symbol(0) - nest.symbol(1) - 1) * stride + 1,
                   {nest.sizes[loop], nest.indices[loop]});
    mask = vector::CreateMaskOp::create(nest.rewriter, nest.loc, maskType,
                                        nest.createIndex(count));
  } else {
    mask =
        vector::ConstantMaskOp::create(nest.rewriter, nest.loc, maskType,
                                       ArrayRef<int64_t>{length - stride + 1});
  }
  auto type = VectorType::get(length, getElementTypeOrSelf(source.getType()));
  Value all = nest.readVector(type, source, getIndices(operand, cell), mask);
  SmallVector<int64_t> kept;
  for (int64_t lane = 0; lane < cell.lanes; ++lane)
    kept.push_back(lane * stride);
  return vector::ShuffleOp::create(nest.rewriter, nest.loc, all, all, kept);
}
