//===- ExpandElementwise.cpp - Loops of what comes after groups -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grouped convolution has groups and filters of a group as dimensions, which
// are the channels of what comes next:
//
//   %y = conv(%x, %w) : tensor<1x4x68x14x14xf32>
//   %c = tensor.collapse_shape %y : tensor<1x272x14x14xf32>
//   %z = relu(%c + %bias)
//   %e = tensor.expand_shape %z : tensor<1x4x68x14x14xf32>
//   %t = transpose(%e) : tensor<1x68x4x14x14xf32>
// becomes
//   %y = conv(%x, %w) : tensor<1x4x68x14x14xf32>
//   %z = relu(%y + %expanded_bias) : tensor<1x4x68x14x14xf32>
//   %t = transpose(%z)
//
// All of it is then one group of operations, whose tiles are those of the
// convolution.
//
//===----------------------------------------------------------------------===//

#include "ExpandElementwise.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;

/// True for the joined dimensions of what only an elementwise operation of the
/// same block reads. The last dimension, along which vectors are, is none of
/// them.
static bool isJoined(OpOperand *operand) {
  auto reader = dyn_cast<linalg::GenericOp>(operand->getOwner());
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  if (!reader || reader.getNumReductionLoops() != 0 || !collapse ||
      !collapse.getSrcType().hasStaticShape() || !collapse->hasOneUse() ||
      collapse.getReassociationIndices().empty() ||
      collapse.getReassociationIndices().back().size() != 1)
    return false;
  auto producer = collapse.getSrc().getDefiningOp<linalg::GenericOp>();
  return producer && producer->getBlock() == reader->getBlock() &&
         collapse.getSrc().hasOneUse();
}

namespace {
/// A constant has another shape at no cost.
struct ReshapeConstant : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto constant = op.getSrc().getDefiningOp<arith::ConstantOp>();
    if (!constant || !op.getResultType().hasStaticShape())
      return rewriter.notifyMatchFailure(op, "no constant");
    Attribute elements =
        retypeElements(constant.getValue(), op.getResultType());
    if (!elements)
      return rewriter.notifyMatchFailure(op, "no elements in memory");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   cast<TypedAttr>(elements));
    return success();
  }
};
} // namespace

LogicalResult mlir::hetero::expandElementwise(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isJoined);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  patterns.add<ReshapeConstant>(context);
  return applyPatternsGreedily(root, std::move(patterns));
}
