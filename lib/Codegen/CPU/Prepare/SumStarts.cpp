//===- SumStarts.cpp - What sums start from -------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %b = broadcast(%bias)
//   %y = conv(%x, %w) outs(%b)
// becomes
//   %y = conv(%x, %w) outs(%zeros)
//   %z = add(%y, %bias)
//
// Zeros need no memory, and the addition is part of the epilogue. A fill that
// several sums share would be copied for each.
//
//===----------------------------------------------------------------------===//

#include "SumStarts.h"

#include "Codegen/Match/FillValue.h"
#include "Codegen/Match/MultiplyAdd.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;

static linalg::GenericOp getFill(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && op->getNumResults() == 1 && getFillValue(op, 0)
             ? op
             : linalg::GenericOp();
}

/// True for a sum of products of floating-point numbers that starts from what
/// an elementwise operation computes for it alone.
static bool startsFromOther(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics() || !multipliesAndAdds(op))
    return false;
  Value init = op.getDpsInits().front();
  auto start = init.getDefiningOp<linalg::GenericOp>();
  return start && init.hasOneUse() && start->getNumResults() == 1 &&
         start->getBlock() == op->getBlock() &&
         start.getNumReductionLoops() == 0 && !getFill(init) &&
         isa<FloatType>(getElementTypeOrSelf(init));
}

static void addAfterwards(RewriterBase &rewriter, linalg::GenericOp op) {
  Location loc = op.getLoc();
  Value init = op.getDpsInits().front();
  auto type = cast<RankedTensorType>(init.getType());
  rewriter.setInsertionPoint(op);
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, init),
      type.getElementType());
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  auto fill = linalg::FillOp::create(rewriter, loc, zero, empty);
  Value zeros = linalg::generalizeNamedOp(rewriter, fill).value()->getResult(0);
  rewriter.modifyOpInPlace(op, [&] { op.getDpsInitsMutable()[0].set(zeros); });
  rewriter.setInsertionPointAfter(op);
  SmallVector<AffineMap> maps(3,
                              rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto add = linalg::GenericOp::create(
      rewriter, loc, type, ValueRange{op->getResult(0), init}, empty, maps,
      loops, [](OpBuilder &builder, Location loc, ValueRange elements) {
        Value sum =
            arith::AddFOp::create(builder, loc, elements[0], elements[1]);
        linalg::YieldOp::create(builder, loc, sum);
      });
  rewriter.replaceAllUsesExcept(op->getResult(0), add.getResult(0), add);
}

/// True for the reshape between an elementwise operation and the sum that alone
/// starts from it.
static bool isReshapeOfStart(OpOperand *operand) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner());
  if (!expand || !expand.getResultType().hasStaticShape() ||
      !expand->hasOneUse() || !operand->get().hasOneUse())
    return false;
  auto sum = dyn_cast<linalg::GenericOp>(*expand->user_begin());
  return sum && sum.getNumReductionLoops() != 0 &&
         sum.isDpsInit(&*expand->use_begin());
}

LogicalResult mlir::hetero::separateStarts(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isReshapeOfStart);
  if (failed(applyPatternsGreedily(root, std::move(patterns))))
    return failure();
  SmallVector<linalg::GenericOp> sums;
  root->walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() != 0)
      sums.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::GenericOp op : sums) {
    if (startsFromOther(op))
      addAfterwards(rewriter, op);
    for (OpOperand &init : op.getDpsInitsMutable()) {
      linalg::GenericOp fill = getFill(init.get());
      if (!fill || init.get().hasOneUse())
        continue;
      rewriter.setInsertionPoint(op);
      Operation *own = rewriter.clone(*fill);
      rewriter.modifyOpInPlace(op, [&] { init.set(own->getResult(0)); });
    }
  }
  return success();
}
