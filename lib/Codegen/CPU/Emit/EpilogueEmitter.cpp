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

#include "LoopEmitter.h"

#include "Codegen/CPU/Plan/Access.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

/// The loops of the contraction's register tile as those of `epilogue`.
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

/// What else the epilogue reads of each row. What all rows share is there
/// anyway, and so is what one operand is.
static SmallVector<unsigned> findPrefetched(const Epilogue &epilogue,
                                            const VectorPlan &plan) {
  SmallVector<unsigned> prefetched;
  auto op = cast<linalg::GenericOp>(epilogue.operand->getOwner());
  for (OpOperand *input : op.getDpsInputOperands())
    if (input != epilogue.operand && plan.rows &&
        isa<RankedTensorType>(input->get().getType()) &&
        op.payloadUsesValueFromOperand(input) &&
        classifyAccess(op, input, plan.vectorLoop) == AccessKind::Contiguous &&
        classifyAccess(op, input, plan.rows->loop) != AccessKind::Invariant)
      prefetched.push_back(input->getOperandNumber());
  return prefetched;
}

void LoopEmitter::addEpilogue(const Epilogue &of) {
  auto follower = cast<linalg::GenericOp>(of.operand->getOwner());
  VectorPlan followed = followPlan(of);
  epilogue = std::make_unique<LoopEmitter>(rewriter, follower, followed,
                                           findPrefetched(of, followed));
  epilogueOf = of;
  // The sizes of the contraction's result are those of what it is written to.
  rewriter.replaceUsesWithIf(
      of.operand->get(), destinations.front(),
      [](OpOperand &use) { return isa<tensor::DimOp>(use.getOwner()); });
  if (!follower.isDpsInit(of.operand))
    destinations = {follower.getDpsInits().front()};
}

/// The epilogue is where the contraction is.
void LoopEmitter::moveEpilogue() {
  for (auto [loop, follower] : llvm::enumerate(epilogueOf->loops))
    if (follower)
      epilogue->indices[*follower] = indices[loop];
  epilogue->loads.clear();
}

/// The operation on one cell of which the contraction has `value`.
Value LoopEmitter::emitEpilogue(Value value, Value tensor, const Cell &cell) {
  OpOperand *init = epilogue->op.getDpsInitOperand(0);
  Value old;
  if (epilogueOf->operand == init)
    old = value;
  else
    epilogue->loads[std::make_tuple(epilogueOf->operand->getOperandNumber(),
                                    cell.row, cell.vector, cell.inner)] = value;
  Value result = epilogue->emitBody(cell, {old}).front();
  return epilogue->store(init, result, tensor, cell);
}

SmallVector<Value> LoopEmitter::storeThroughEpilogue(Values accumulators,
                                                     Values tensors,
                                                     ArrayRef<Cell> cells) {
  moveEpilogue();
  if (epilogueOf->inRegisters) {
    for (auto [value, cell] : llvm::zip_equal(accumulators, cells))
      tensors[0] = emitEpilogue(value, tensors[0], cell);
    return tensors;
  }
  OpOperand *init = op.getDpsInitOperand(0);
  for (auto [value, cell] : llvm::zip_equal(accumulators, cells))
    tensors[0] = store(init, value, tensors[0], cell);
  OpFoldResult rows = rewriter.getIndexAttr(cells.back().row + 1);
  return emitLoop(rewriter.getIndexAttr(0), rows, 1, tensors,
                  [&](Value row, Values carried) {
                    return emitEpilogueRow(row, carried, cells);
                  });
}

/// The operation on one row of a tile that has been stored.
SmallVector<Value> LoopEmitter::emitEpilogueRow(Value row, Values tensors,
                                                ArrayRef<Cell> cells) {
  moveEpilogue();
  if (plan.rows)
    epilogue->indices[*epilogueOf->loops[plan.rows->loop]] =
        affine::makeComposedFoldedAffineApply(
            rewriter, loc,
            rewriter.getAffineSymbolExpr(0) + rewriter.getAffineSymbolExpr(1),
            {indices[plan.rows->loop], row});
  for (const Cell &cell : cells) {
    if (cell.row != 0)
      continue;
    Value value = epilogue->load(epilogueOf->operand, tensors[0], cell);
    tensors[0] = emitEpilogue(value, tensors[0], cell);
  }
  return tensors;
}
