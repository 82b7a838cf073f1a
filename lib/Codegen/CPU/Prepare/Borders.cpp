//===- Borders.cpp - Borders of images that are not put into memory -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = tensor.pad %x ...
//   %r = depthwise convolution(%p, %filters)
//
// becomes, where the loops over windows can tell the border from the image,
//
//   scf.forall (%y) {
//     %p = tensor.pad %x ... {hetero.border}
//     %s = tensor.extract_slice %p[%y]
//     %r = depthwise convolution(%s, %filters)
//   }
//
// and the vectorizer reads %x. So each operation has its pad with it, and is a
// kernel as a whole.
//
//===----------------------------------------------------------------------===//

#include "Borders.h"

#include "Pads.h"

#include "Codegen/CPU/Plan/WindowPlan.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;

static SmallVector<tensor::PadOp> findMarkedPads(Operation *root) {
  SmallVector<tensor::PadOp> pads;
  root->walk([&](tensor::PadOp pad) {
    if (hasMarkedBorder(pad))
      pads.push_back(pad);
  });
  return pads;
}

bool mlir::hetero::hasMarkedBorder(Operation *op) {
  return op->hasAttr(kBorderAttrName);
}

/// True if an input may be an image with a border.
static bool isPadded(linalg::GenericOp op, OpOperand *input) {
  Operation *producer = input->get().getDefiningOp();
  return op.payloadUsesValueFromOperand(input) &&
         isa_and_present<tensor::PadOp, tensor::InsertSliceOp>(producer);
}

/// The pad that an input is, as an operation of its own; null if it is none.
static tensor::PadOp clonePad(RewriterBase &rewriter, OpOperand *input) {
  Operation *producer = input->get().getDefiningOp();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(producer))
    return createOpenPad(rewriter, insert);
  rewriter.setInsertionPointAfter(producer);
  return cast<tensor::PadOp>(rewriter.clone(*producer));
}

/// Erases `op` and what only it has used, up to a tensor without contents.
static void eraseUnused(RewriterBase &rewriter, Operation *op) {
  while (op && op->use_empty() &&
         isa<tensor::PadOp, tensor::InsertSliceOp, linalg::GenericOp,
             tensor::EmptyOp>(op)) {
    Operation *before = nullptr;
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      before = insert.getDest().getDefiningOp();
    if (auto fill = dyn_cast<linalg::GenericOp>(op))
      before = fill.getDpsInits().front().getDefiningOp();
    rewriter.eraseOp(op);
    op = before;
  }
}

/// Lets an input of windows be a marked pad if its border need not be in
/// memory.
static bool markBorder(RewriterBase &rewriter, linalg::GenericOp op,
                       OpOperand *input, const VectorPlan &plan) {
  Value padded = input->get();
  tensor::PadOp pad = clonePad(rewriter, input);
  if (!pad)
    return false;
  input->set(pad.getResult());
  std::optional<Border> border = findBorder(op, input, plan);
  if (!border) {
    input->set(padded);
    rewriter.eraseOp(pad);
    return false;
  }
  pad->setAttr(kBorderAttrName, rewriter.getBoolAttr(isNeutral(op, *border)));
  eraseUnused(rewriter, padded.getDefiningOp());
  return true;
}

void mlir::hetero::markBorders(RewriterBase &rewriter, Operation *root,
                               const CPUTarget &target) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() != 0)
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops) {
    auto isOne = [&](OpOperand *input) { return isPadded(op, input); };
    SmallVector<OpOperand *> inputs =
        llvm::filter_to_vector(op.getDpsInputOperands(), isOne);
    std::optional<VectorPlan> plan;
    if (!inputs.empty())
      plan = planVectorLoops(op, target);
    for (OpOperand *input : inputs)
      if (plan && markBorder(rewriter, op, input, *plan))
        break;
  }
}

void mlir::hetero::sinkBorders(RewriterBase &rewriter, Operation *root) {
  for (tensor::PadOp pad : findMarkedPads(root)) {
    for (OpOperand &use : llvm::make_early_inc_range(pad->getUses())) {
      if (use.getOwner()->getBlock() == pad->getBlock())
        continue;
      rewriter.setInsertionPoint(use.getOwner());
      use.set(rewriter.clone(*pad)->getResult(0));
    }
    if (pad->use_empty())
      rewriter.eraseOp(pad);
  }
}

LogicalResult mlir::hetero::dropBorders(Operation *root) {
  SmallVector<tensor::PadOp> pads = findMarkedPads(root);
  if (pads.empty())
    return success();
  // What is left of them are sizes.
  RewritePatternSet patterns(root->getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, root->getContext());
  if (failed(applyPatternsGreedily(root, std::move(patterns))))
    return failure();
  // An operation whose plan is another in tiles reads its border after all.
  for (tensor::PadOp pad : findMarkedPads(root))
    pad->removeAttr(kBorderAttrName);
  return expandPads(root);
}
