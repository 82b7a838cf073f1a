//===- SplitByRows.cpp - Products of many rows and of few -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Panels of a transposed operand are worth making for many rows only, so where
// that number is known when the program runs, it has both forms:
//
//   %r = linalg.generic %a, %b                 // ? rows
//     ->
//   %r = scf.if %rows >= 16 {
//     yield (linalg.generic %a, %b)
//   } else {
//     yield (linalg.generic %a, %b {hetero.few_rows})
//   }
//
//===----------------------------------------------------------------------===//

#include "SplitByRows.h"

#include "Codegen/CPU/Plan/Epilogue.h"
#include "Codegen/CPU/Plan/TransposePlan.h"
#include "Codegen/Match/FillValue.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::hetero;

/// The contraction, before it the fill that only it reads, and after it what
/// is done with each of its elements.
static SmallVector<linalg::GenericOp> collectParts(linalg::GenericOp op,
                                                   const CPUTarget &target) {
  SmallVector<linalg::GenericOp> parts;
  for (Value init : op.getDpsInits())
    if (auto fill = init.getDefiningOp<linalg::GenericOp>())
      if (init.hasOneUse() &&
          getFillValue(fill, cast<OpResult>(init).getResultNumber()))
        parts.push_back(fill);
  parts.push_back(op);
  if (op->getNumResults() != 1 || !op->hasOneUse())
    return parts;
  if (auto next = dyn_cast<linalg::GenericOp>(*op->user_begin()))
    if (std::optional<Epilogue> epilogue = findEpilogue(next, target);
        epilogue && epilogue->contraction == op)
      parts.push_back(next);
  return parts;
}

/// Yields a copy of the parts.
static void emitVersion(RewriterBase &rewriter, Block *block,
                        ArrayRef<linalg::GenericOp> parts, linalg::GenericOp op,
                        bool isFew) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(block);
  IRMapping mapping;
  for (linalg::GenericOp part : parts) {
    Operation *copy = rewriter.clone(*part, mapping);
    if (part == op && isFew)
      copy->setAttr(kFewRowsAttrName, rewriter.getUnitAttr());
  }
  SmallVector<Value> results;
  for (Value result : parts.back()->getResults())
    results.push_back(mapping.lookup(result));
  scf::YieldOp::create(rewriter, op.getLoc(), results);
}

static void split(RewriterBase &rewriter, linalg::GenericOp op,
                  const VectorPlan &plan, const CPUTarget &target) {
  SmallVector<linalg::GenericOp> parts = collectParts(op, target);
  linalg::GenericOp last = parts.back();
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  auto structured = cast<linalg::LinalgOp>(op.getOperation());
  OpFoldResult rows =
      structured.createLoopRanges(rewriter, loc)[plan.rows->loop].size;
  Value least =
      arith::ConstantIndexOp::create(rewriter, loc, *plan.panels.leastRows);
  Value areMany = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::sge,
      getValueOrCreateConstantIndexOp(rewriter, loc, rows), least);
  rewriter.setInsertionPoint(last);
  auto choice = scf::IfOp::create(rewriter, loc, last->getResultTypes(),
                                  areMany, /*withElseRegion=*/true);
  emitVersion(rewriter, choice.thenBlock(), parts, op, false);
  emitVersion(rewriter, choice.elseBlock(), parts, op, true);
  rewriter.replaceOp(last, choice.getResults());
  // What is left reads sizes.
  for (linalg::GenericOp part : llvm::reverse(parts))
    if (part != last)
      rewriter.replaceOp(part, part.getDpsInits());
}

void mlir::hetero::splitByRows(RewriterBase &rewriter, Operation *root,
                               const CPUTarget &target) {
  SmallVector<std::pair<linalg::GenericOp, VectorPlan>, 1> ops;
  root->walk([&](linalg::GenericOp op) {
    std::optional<VectorPlan> plan = planVectorLoops(op, target);
    if (plan && plan->panels.leastRows && !op->use_empty() &&
        ShapedType::isDynamic(op.getStaticLoopRanges()[plan->rows->loop]))
      ops.push_back({op, *plan});
  });
  for (auto &[op, plan] : ops)
    split(rewriter, op, plan, target);
}
