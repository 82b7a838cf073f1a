//===- GroupLoads.cpp - Loads of groups of steps --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupLoads.h"

#include "Codegen/CPU/Plan/Access.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

Value GroupLoads::load(OpOperand *input, const Cell &cell) {
  if (nest.plan.is<LaneSums>())
    return flip(input, loads.load(input, input->get(), cell));
  if (Value vector = loads.loadFromPanel(input, cell))
    return vector;
  switch (classifyAccess(nest.op, input, nest.plan.vectorLoop)) {
  case AccessKind::Invariant:
    return broadcastWord(input, cell);
  case AccessKind::Scattered:
    return collectWords(input, cell);
  default:
    return loadInterleaved(input, cell);
  }
}

Value GroupLoads::flip(OpOperand *input, Value vector) {
  if (!nest.plan.isFlipped(input->getOperandNumber()))
    return vector;
  Value bits = arith::ConstantOp::create(
      nest.rewriter, nest.loc,
      DenseElementsAttr::get(cast<VectorType>(vector.getType()),
                             nest.rewriter.getI8IntegerAttr(-128)));
  return arith::XOrIOp::create(nest.rewriter, nest.loc, vector, bits);
}

/// The elements of vectors by turns, for a number of vectors that is a power of
/// two.
static Value interleave(LoopNest &nest, ArrayRef<Value> vectors) {
  if (vectors.size() == 1)
    return vectors.front();
  Values even, odd;
  for (auto [index, vector] : llvm::enumerate(vectors))
    (index % 2 ? odd : even).push_back(vector);
  return vector::InterleaveOp::create(
      nest.rewriter, nest.loc, interleave(nest, even), interleave(nest, odd));
}

/// Vectors of the steps of a group, interleaved. As integers, which LLVM
/// shuffles at all widths.
Value GroupLoads::loadInterleaved(OpOperand *input, const Cell &cell) {
  int64_t group = nest.plan.getGroup();
  Values steps =
      groups.forEach([&] { return loads.load(input, input->get(), cell); });
  Type element = getElementTypeOrSelf(input->get().getType());
  Type integer = nest.rewriter.getIntegerType(element.getIntOrFloatBitWidth());
  for (Value &step : steps)
    step = nest.bitcast(step, cell.lanes, integer);
  steps.resize(group, nest.createZero(VectorType::get(cell.lanes, integer)));
  return flip(input, nest.bitcast(interleave(nest, steps), cell.lanes * group,
                                  element));
}

/// The elements of the steps of a group, which are next to each other.
Value GroupLoads::readWord(OpOperand *input, const Cell &cell) {
  Type element = getElementTypeOrSelf(input->get().getType());
  auto type = VectorType::get(nest.plan.getGroup(), element);
  Value word;
  if (groups.isFull()) {
    word = nest.readVector(type, input->get(), nest.getIndices(input, cell));
  } else {
    Values steps = groups.forEach([&]() -> Value {
      return tensor::ExtractOp::create(nest.rewriter, nest.loc, input->get(),
                                       nest.getIndices(input, cell));
    });
    steps.resize(nest.plan.getGroup(), nest.createZero(element));
    word = vector::FromElementsOp::create(nest.rewriter, nest.loc, type, steps);
  }
  return vector::ExtractOp::create(
      nest.rewriter, nest.loc,
      nest.bitcast(word, 1, nest.rewriter.getI32Type()), 0);
}

/// A word in all lanes.
Value GroupLoads::broadcastWord(OpOperand *input, const Cell &cell) {
  return nest.bitcast(nest.broadcast(readWord(input, cell), cell.lanes),
                      cell.lanes * nest.plan.getGroup(),
                      getElementTypeOrSelf(input->get().getType()));
}

/// A word for each lane.
Value GroupLoads::collectWords(OpOperand *input, const Cell &cell) {
  Values words = nest.readLanes(
      cell, [&](const Cell &corner) { return readWord(input, corner); });
  Value vector = vector::FromElementsOp::create(
      nest.rewriter, nest.loc,
      VectorType::get(cell.lanes, nest.rewriter.getI32Type()), words);
  return flip(input,
              nest.bitcast(vector, cell.lanes * nest.plan.getGroup(),
                           getElementTypeOrSelf(input->get().getType())));
}
