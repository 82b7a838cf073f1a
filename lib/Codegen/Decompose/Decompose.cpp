//===- Decompose.cpp - Destination-style form of a region -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = linalg.softmax dimension(1) ins(%a) outs(%b)
//   %1 = tensor.pad %0 low[0, 1] high[0, 1] { tensor.yield %zero }
//
// becomes linalg.generic operations and a tensor.insert_slice.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Decompose/Decompose.h"

#include "hetero/Codegen/Arithmetic/ExpandMath.h"
#include "hetero/Transforms/Frontends/DecomposePad.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Operations such as linalg.softmax that know how to take themselves apart.
struct DecomposeAggregate
    : OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (failed(values))
      return rewriter.notifyMatchFailure(op, "cannot be decomposed");
    rewriter.replaceOp(op, *values);
    return success();
  }
};

struct DecomposePack : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::PackOp op,
                                PatternRewriter &rewriter) const override {
    return linalg::lowerPack(rewriter, op,
                             /*lowerPadLikeWithInsertSlice=*/false);
  }
};

struct DecomposeUnPack : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::UnPackOp op,
                                PatternRewriter &rewriter) const override {
    return linalg::lowerUnPack(rewriter, op,
                               /*lowerUnpadLikeWithExtractSlice=*/false);
  }
};

/// A generic without inputs that computes `value` everywhere is how a splat and
/// a fill look to fusion.
struct SplatToGeneric : OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::SplatOp op,
                                PatternRewriter &rewriter) const override {
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), op.getType().getShape(),
        op.getType().getElementType(), op.getDynamicSizes());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, op.getInput(), empty);
    return success();
  }
};

struct BitcastToGeneric : OpRewritePattern<tensor::BitcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::BitcastOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "unranked");
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, op.getLoc(), op.getSource());
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), sizes,
                                          type.getElementType());
    AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, empty.getType(), op.getSource(), empty, ArrayRef{map, map},
        iterators, [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          Value cast = arith::BitcastOp::create(
              builder, loc, type.getElementType(), arguments[0]);
          linalg::YieldOp::create(builder, loc, cast);
        });
    return success();
  }
};

/// Operations that make a tensor become some that write into one.
template <typename OpT> struct ToDestinationStyle : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    return success(
        succeeded(linalg::rewriteInDestinationPassingStyle(rewriter, op)));
  }
};

struct DecomposePad : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    decomposePad(rewriter, op);
    return success();
  }
};
} // namespace

/// Refuses what is neither structured nor a view by now.
static LogicalResult checkDecomposed(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    bool isLinalg =
        isa<linalg::LinalgDialect>(op->getDialect()) &&
        !isa<linalg::LinalgOp, linalg::IndexOp, linalg::YieldOp>(op);
    if (!isLinalg)
      return WalkResult::advance();
    op->emitOpError("has no code in this form; rewrite it as "
                    "linalg.generic, or give it static tiles, before "
                    "hetero-codegen");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult mlir::hetero::decomposeRegion(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  patterns.add<DecomposeAggregate, DecomposePack, DecomposeUnPack,
               SplatToGeneric, BitcastToGeneric, DecomposePad,
               ToDestinationStyle<tensor::FromElementsOp>,
               ToDestinationStyle<tensor::GenerateOp>>(context);
  // In the type that they are asked in, which later may be a wider one.
  populateExpandMathPatterns(patterns);
  linalg::populateDecomposeWinogradOpsPatterns(patterns);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  linalg::populateLinalgNamedOpsGeneralizationPatterns(patterns);
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  if (failed(applyPatternsGreedily(root, std::move(patterns))))
    return failure();
  return checkDecomposed(root);
}
