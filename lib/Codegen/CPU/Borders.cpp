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

#include "WindowPlan.h"
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

/// The input of `op` whose border need not be in memory, if there is one.
static std::optional<Border> findOwnBorder(linalg::GenericOp op,
                                        const CPUTarget &target) {
  auto isPad = [](OpOperand *input) {
    return input->get().getDefiningOp<tensor::PadOp>();
  };
  if (op.getNumReductionLoops() == 0 ||
      llvm::none_of(op.getDpsInputOperands(), isPad))
    return std::nullopt;
  std::optional<VectorPlan> plan = planVectorLoops(op, target);
  for (OpOperand *input : op.getDpsInputOperands())
    if (plan && isPad(input) && op.payloadUsesValueFromOperand(input))
      return findBorder(op, input, *plan);
  return std::nullopt;
}

void mlir::hetero::markBorders(RewriterBase &rewriter, Operation *root,
                               const CPUTarget &target) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops) {
    std::optional<Border> border = findOwnBorder(op, target);
    if (!border)
      continue;
    rewriter.setInsertionPoint(op);
    auto pad = cast<tensor::PadOp>(rewriter.clone(*border->pad));
    pad->setAttr(kBorderAttrName,
                 rewriter.getBoolAttr(isNeutral(op, *border)));
    border->input->set(pad.getResult());
    if (border->pad->use_empty())
      rewriter.eraseOp(border->pad);
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
