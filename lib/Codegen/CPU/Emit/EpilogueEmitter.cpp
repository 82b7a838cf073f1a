//===- EpilogueEmitter.cpp - Takes register tiles through an epilogue -----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a contraction's register tile would be stored, the elementwise
// operation that reads it is computed on the accumulators, and its result is
// stored:
//
//   %sums:24 = scf.for %k ...
//   %y0 = max(%sums#0 + %bias0 + %residual[%m, %n], 0) ; store %y0   // of 24
//
// A long one, such as GELU, is a loop over the rows of the tile, which is in
// the nearest cache. What else it reads of each row is asked for before the
// sums begin.
//
//===----------------------------------------------------------------------===//

#include "EpilogueEmitter.h"

#include "Codegen/CPU/Plan/Access.h"
#include "Prefetcher.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

/// The elementwise operation.
static linalg::GenericOp getFollower(const Epilogue &epilogue) {
  return cast<linalg::GenericOp>(epilogue.operand->getOwner());
}

/// The loops of the contraction's register tile as those of the epilogue.
static VectorPlan followPlan(const Epilogue &epilogue) {
  auto follow = [&](const std::optional<TiledLoop> &tiled) {
    std::optional<unsigned> loop =
        tiled ? epilogue.loops[tiled->loop] : std::nullopt;
    return loop ? std::optional(TiledLoop{*loop, tiled->count}) : std::nullopt;
  };
  VectorPlan plan;
  plan.vectorLoop = *epilogue.loops[epilogue.plan.vectorLoop];
  plan.rows = follow(epilogue.plan.rows);
  plan.inner = follow(epilogue.plan.inner);
  plan.lanes = epilogue.plan.lanes;
  return plan;
}

/// True for what the epilogue reads of each row. What all rows share is there
/// anyway.
static bool readsByRow(linalg::GenericOp op, OpOperand *input,
                       const VectorPlan &plan) {
  return plan.rows && readsTensor(op, input) &&
         classifyAccess(op, input, plan.vectorLoop) == AccessKind::Contiguous &&
         classifyAccess(op, input, plan.rows->loop) != AccessKind::Invariant;
}

EpilogueEmitter::EpilogueEmitter(EmitContext &of, const Epilogue &epilogue)
    : of(of), epilogue(epilogue),
      own(of.nest.rewriter, getFollower(epilogue), followPlan(epilogue)),
      body(own) {
  linalg::GenericOp follower = own.nest.op;
  for (OpOperand *input : follower.getDpsInputOperands())
    if (input != epilogue.operand && readsByRow(follower, input, own.nest.plan))
      prefetched[input->getOperandNumber()] =
          createPrefetchedBuffer(own.nest, input->get());
  // The sizes of the contraction's result are those of what it is written to.
  of.nest.rewriter.replaceUsesWithIf(
      epilogue.operand->get(), of.results.getDestinations().front(),
      [](OpOperand &use) { return isa<tensor::DimOp>(use.getOwner()); });
  if (!follower.isDpsInit(epilogue.operand))
    of.results.setDestination(follower.getDpsInits().front());
}

/// The epilogue is where the contraction is.
void EpilogueEmitter::enter() {
  for (auto [loop, follower] : llvm::enumerate(epilogue.loops))
    if (follower)
      own.nest.indices[*follower] = of.nest.indices[loop];
  own.loads.clear();
}

void EpilogueEmitter::prefetch(ArrayRef<Cell> cells) {
  enter();
  for (auto &[number, buffer] : prefetched) {
    OpOperand *input = &own.nest.op->getOpOperand(number);
    int64_t bytes =
        getElementBytes(getElementTypeOrSelf(input->get().getType()));
    for (const Cell &cell : cells)
      if (cell.vector * cell.lanes * bytes % kLineBytes < cell.lanes * bytes)
        createPrefetch(own.nest, buffer, own.nest.getIndices(input, cell));
  }
}

/// The operation on one cell of which the contraction has `value`.
Value EpilogueEmitter::emitCell(Value value, Value tensor, const Cell &cell) {
  OpOperand *init = own.nest.op.getDpsInitOperand(0);
  Value old;
  if (epilogue.operand == init)
    old = value;
  else
    own.loads.set(epilogue.operand, cell, value);
  Value result = body.emit(cell, {old}).front();
  return own.results.store(init, result, tensor, cell);
}

SmallVector<Value> EpilogueEmitter::store(Values accumulators, Values tensors,
                                          ArrayRef<Cell> cells) {
  enter();
  if (epilogue.inRegisters) {
    for (auto [value, cell] : llvm::zip_equal(accumulators, cells))
      tensors[0] = emitCell(value, tensors[0], cell);
    return tensors;
  }
  OpOperand *init = of.nest.op.getDpsInitOperand(0);
  for (auto [value, cell] : llvm::zip_equal(accumulators, cells))
    tensors[0] = of.results.store(init, value, tensors[0], cell);
  OpFoldResult rows = of.nest.index(cells.back().row + 1);
  return of.nest.emitLoop(
      of.nest.index(0), rows, 1, tensors,
      [&](Value row, Values carried) { return emitRow(row, carried, cells); });
}

/// The operation on one row of a tile that has been stored.
SmallVector<Value> EpilogueEmitter::emitRow(Value row, Values tensors,
                                            ArrayRef<Cell> cells) {
  enter();
  if (std::optional<unsigned> loop = of.nest.plan.getRowLoop())
    own.nest.indices[*epilogue.loops[*loop]] =
        of.nest.apply(of.nest.symbol(0) + of.nest.symbol(1),
                      {of.nest.indices[*loop], OpFoldResult(row)});
  for (const Cell &cell : cells) {
    if (cell.row != 0)
      continue;
    Value value = own.vectors.load(epilogue.operand, tensors[0], cell);
    tensors[0] = emitCell(value, tensors[0], cell);
  }
  return tensors;
}
