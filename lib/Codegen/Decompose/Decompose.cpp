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
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
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

/// The elements around the source: one value, or what the pad's body makes of
/// each place.
static Value fillPadding(RewriterBase &rewriter, tensor::PadOp op,
                         Value empty) {
  Location loc = op.getLoc();
  if (Value value = op.getConstantPaddingValue()) {
    if (value.getParentRegion() == &op.getRegion())
      value = rewriter.clone(*value.getDefiningOp())->getResult(0);
    return linalg::FillOp::create(rewriter, loc, value, empty).getResult(0);
  }
  int64_t rank = op.getResultType().getRank();
  auto generic = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), ValueRange(), empty,
      rewriter.getMultiDimIdentityMap(rank),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel));
  OpBuilder::InsertionGuard guard(rewriter);
  Block *body = rewriter.createBlock(&generic.getRegion(), {},
                                     op.getResultType().getElementType(), loc);
  SmallVector<Value> indices;
  for (int64_t dim = 0; dim < rank; ++dim)
    indices.push_back(linalg::IndexOp::create(rewriter, loc, dim));
  rewriter.inlineBlockBefore(op.getBody(), body, body->end(), indices);
  auto yield = cast<tensor::YieldOp>(body->getTerminator());
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<linalg::YieldOp>(yield, yield.getValue());
  return generic.getResult(0);
}

/// Where the result's type has a size, its operands give the same one.
static SmallVector<OpFoldResult> getPaddedSizes(RewriterBase &rewriter,
                                                tensor::PadOp op) {
  RankedTensorType type = op.getResultType();
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad(), sizes;
  AffineExpr a, b, c;
  bindSymbols(op.getContext(), a, b, c);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(
        type.isDynamicDim(dim)
            ? affine::makeComposedFoldedAffineApply(
                  rewriter, op.getLoc(), a + b + c,
                  {low[dim],
                   tensor::getMixedSize(rewriter, op.getLoc(), op.getSource(),
                                        dim),
                   high[dim]})
            : OpFoldResult(rewriter.getIndexAttr(type.getDimSize(dim))));
  return sizes;
}

/// Upstream's rewriteInDestinationPassingStyle takes a size of the result for a
/// value where it is a constant that the type does not have, and then reads
/// what is no attribute (LLVM 22).
void mlir::hetero::decomposePad(RewriterBase &rewriter, tensor::PadOp op) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResultType(), sourceType = op.getSourceType();
  SmallVector<OpFoldResult> sizes = getPaddedSizes(rewriter, op);
  SmallVector<OpFoldResult> low = op.getMixedLowPad();
  Value result =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  result = fillPadding(rewriter, op, result);
  // No place in a dimension without elements is inside it, and none is before
  // the first, which insertions check.
  auto isNegative = [](OpFoldResult amount) {
    std::optional<int64_t> constant = getConstantIntValue(amount);
    return constant && *constant < 0;
  };
  if (!llvm::is_contained(sourceType.getShape(), 0) &&
      !llvm::any_of(low, isNegative) &&
      !llvm::any_of(op.getMixedHighPad(), isNegative))
    result = tensor::InsertSliceOp::create(
        rewriter, loc, op.getSource(), result, low,
        tensor::getMixedSizes(rewriter, loc, op.getSource()),
        SmallVector<OpFoldResult>(low.size(), rewriter.getIndexAttr(1)));
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(op, result);
}

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
