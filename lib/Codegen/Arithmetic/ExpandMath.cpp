//===- ExpandMath.cpp - What no lowering has code for ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = math.clampf %x to [%low, %high]
//     ->
//   %0 = arith.maximumf %x, %low
//   %r = arith.minimumf %0, %high
//
// Upstream's expansion takes the minimum with %low and the maximum with %high,
// whose result is %high wherever the bounds are in order.
//
//   %r = math.isnormal %x
//     ->
//   %0 = math.absf %x
//   %r = %0 >= (the least normal number) and %0 < infinity
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Arithmetic/ExpandMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::hetero;

/// A constant of the type, which may be a vector.
static Value createConstant(OpBuilder &builder, Location loc, Type type,
                            const APFloat &value) {
  TypedAttr attribute = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attribute = DenseElementsAttr::get(shaped, attribute);
  return arith::ConstantOp::create(builder, loc, attribute);
}

static const llvm::fltSemantics &getSemantics(Type type) {
  return cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
}

/// Compares the magnitude with infinity.
static Value compareWithInfinity(OpBuilder &builder, Location loc,
                                 arith::CmpFPredicate predicate,
                                 Value magnitude) {
  Type type = magnitude.getType();
  Value infinity =
      createConstant(builder, loc, type, APFloat::getInf(getSemantics(type)));
  return arith::CmpFOp::create(builder, loc, predicate, magnitude, infinity);
}

namespace {
struct ExpandClamp : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Value raised = arith::MaximumFOp::create(
        rewriter, op.getLoc(), op.getValue(), op.getMin(), op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, raised, op.getMax(),
                                                   op.getFastmath());
    return success();
  }
};

struct ExpandIsInf : OpRewritePattern<math::IsInfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IsInfOp op,
                                PatternRewriter &rewriter) const override {
    Value magnitude =
        math::AbsFOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOp(op, compareWithInfinity(rewriter, op.getLoc(),
                                               arith::CmpFPredicate::OEQ,
                                               magnitude));
    return success();
  }
};

struct ExpandIsNormal : OpRewritePattern<math::IsNormalOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IsNormalOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getOperand().getType();
    Value magnitude = math::AbsFOp::create(rewriter, loc, op.getOperand());
    Value least =
        createConstant(rewriter, loc, type,
                       APFloat::getSmallestNormalized(getSemantics(type)));
    Value isLarge = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OGE, magnitude, least);
    Value isFinite = compareWithInfinity(rewriter, loc,
                                         arith::CmpFPredicate::OLT, magnitude);
    rewriter.replaceOpWithNewOp<arith::AndIOp>(op, isLarge, isFinite);
    return success();
  }
};
} // namespace

void mlir::hetero::populateExpandMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandClamp, ExpandIsInf, ExpandIsNormal>(patterns.getContext());
}
