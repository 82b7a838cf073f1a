//===- ExpandFunctions.cpp - Approximates functions -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   exp(x) = 2^n * p(x - n * log(2)), n = floor(x / log(2))
//   erf(x) = x * p(t), t = x * x / 7.22 - 1, between -1 and 1
//
// The coefficients minimize the greatest relative error before rounding: 2e-9
// of exp, 6e-8 of erf. A division would take as long as 16 operations, so that
// erf is no quotient. Upstream's approximations select between pieces and
// special cases, which takes twice to three times as long. Here special values
// follow from the arithmetic.
//
//===----------------------------------------------------------------------===//

#include "ExpandFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Between 0 and log(2). The first is exact, so that exp(0) is.
static constexpr float kExp[] = {1.0f,
                                 0.999999803618f,
                                 0.500005825024f,
                                 0.166610129528f,
                                 0.041914994706f,
                                 0.00779227080518f,
                                 0.00194877077149f};
/// log(2) in two parts: products of the first with small integers are exact.
static constexpr float kLog2Head = 0.693359375f, kLog2Tail = -2.12194440e-4f;
/// Below the first, 2^n is zero; above the second, infinity.
static constexpr float kExpLeast = -88.0f, kExpMost = 88.8f;

/// Where x * x is between 0 and 3.8^2, of which t is from -1 to 1. Outside,
/// x * p(t) is more than 1 and grows: it is limited to 1.
static constexpr float kErfScale = 0.138504162431f;
static constexpr float kErf[] = {
    0.372107625008f,   -0.185641288757f,   0.137739822268f,  -0.111182436347f,
    0.0908260196447f,  -0.0725454539061f,  0.0551085770130f, -0.0388198345900f,
    0.0265081040561f,  -0.0185622628778f,  0.0102767674252f, -0.00309233367443f,
    0.00208686734550f, -0.00276698637754f, 0.00111471710261f};

namespace {
/// Builds arithmetic on values of one type.
struct Arithmetic {
  OpBuilder &builder;
  Location loc;
  Type type;

  Value constant(float value) {
    Attribute element = builder.getFloatAttr(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      return arith::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(vector, element));
    return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(element));
  }

  /// Not math.fma, which is a call where the processor has no instruction.
  Value multiplyAdd(Value a, Value b, Value c) {
    auto contract = arith::FastMathFlags::contract;
    Value product = arith::MulFOp::create(builder, loc, a, b, contract);
    return arith::AddFOp::create(builder, loc, product, c, contract);
  }

  Value polynomial(Value x, ArrayRef<float> coefficients) {
    Value result = constant(coefficients.back());
    for (float coefficient : llvm::reverse(coefficients.drop_back()))
      result = multiplyAdd(result, x, constant(coefficient));
    return result;
  }

  /// `x` between two bounds; NaN stays.
  Value clamp(Value x, float least, float most) {
    x = limit(x, most, arith::CmpFPredicate::OLT);
    return limit(x, least, arith::CmpFPredicate::OGT);
  }

  /// 2^n for a float `n` that is an integer between -127 and 128: shifts its
  /// bits, which are at the end of a large float, to where the exponent is.
  Value powerOfTwo(Value n) {
    Value shifted =
        arith::AddFOp::create(builder, loc, n, constant(float(3 << 22) + 127));
    Type integer = builder.getI32Type();
    TypedAttr places = builder.getI32IntegerAttr(23);
    if (auto vector = dyn_cast<VectorType>(type)) {
      integer = vector.clone(integer);
      places =
          DenseElementsAttr::get(cast<VectorType>(integer), Attribute(places));
    }
    Value bits = arith::BitcastOp::create(builder, loc, integer, shifted);
    Value exponent = arith::ShLIOp::create(
        builder, loc, bits, arith::ConstantOp::create(builder, loc, places));
    return arith::BitcastOp::create(builder, loc, type, exponent);
  }

private:
  /// `bound` where it is on the side of `x` that `predicate` says.
  Value limit(Value x, float bound, arith::CmpFPredicate predicate) {
    Value limit = constant(bound);
    Value passed = arith::CmpFOp::create(builder, loc, predicate, limit, x);
    return arith::SelectOp::create(builder, loc, passed, limit, x);
  }
};

static bool isExpandable(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return getElementTypeOrSelf(type).isF32() && !(vector && vector.isScalable());
}

struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!isExpandable(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected f32");
    Location loc = op.getLoc();
    Arithmetic build{rewriter, loc, op.getType()};
    Value x = build.clamp(op.getOperand(), kExpLeast, kExpMost);
    Value quotient = arith::MulFOp::create(
        rewriter, loc, x, build.constant(llvm::numbers::log2ef));
    Value n = math::FloorOp::create(rewriter, loc, quotient);
    x = build.multiplyAdd(n, build.constant(-kLog2Head), x);
    x = build.multiplyAdd(n, build.constant(-kLog2Tail), x);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, build.polynomial(x, kExp),
                                               build.powerOfTwo(n));
    return success();
  }
};

struct ExpandErf : OpRewritePattern<math::ErfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ErfOp op,
                                PatternRewriter &rewriter) const override {
    if (!isExpandable(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected f32");
    Location loc = op.getLoc();
    Arithmetic build{rewriter, loc, op.getType()};
    Value x = op.getOperand();
    Value square = arith::MulFOp::create(rewriter, loc, x, x);
    Value t = build.multiplyAdd(square, build.constant(kErfScale),
                                build.constant(-1));
    Value result =
        arith::MulFOp::create(rewriter, loc, x, build.polynomial(t, kErf));
    rewriter.replaceOp(op, build.clamp(result, -1, 1));
    return success();
  }
};
} // namespace

void mlir::hetero::populateExpandFunctionsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ExpandExp, ExpandErf>(patterns.getContext());
}
