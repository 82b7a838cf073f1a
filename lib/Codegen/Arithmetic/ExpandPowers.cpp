//===- ExpandPowers.cpp - Powers with integer exponents -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = math.fpowi %x, %n
//
// becomes
//
//   rest = |n|, square = x, power = 1
//   while (rest != 0)
//     power = rest & 1 ? power * square : power
//     square = square * square, rest = rest >> 1
//   p = n < 0 ? 1 / power : power
//
//===----------------------------------------------------------------------===//

#include "ExpandPowers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

static Value createConstant(OpBuilder &builder, Location loc, Type type,
                            int64_t value) {
  TypedAttr attribute =
      isa<FloatType>(type)
          ? TypedAttr(builder.getFloatAttr(type, static_cast<double>(value)))
          : TypedAttr(builder.getIntegerAttr(type, value));
  return arith::ConstantOp::create(builder, loc, attribute);
}

static Value compare(OpBuilder &builder, Location loc,
                     arith::CmpIPredicate predicate, Value a, int64_t b) {
  return arith::CmpIOp::create(builder, loc, predicate, a,
                               createConstant(builder, loc, a.getType(), b));
}

static Value multiply(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return arith::MulFOp::create(builder, loc, a, b);
  return arith::MulIOp::create(builder, loc, a, b);
}

/// The power by an exponent without a sign.
static Value createPower(OpBuilder &builder, Location loc, Value base,
                         Value exponent) {
  Type type = base.getType(), count = exponent.getType();
  Value one = createConstant(builder, loc, type, 1);
  auto goesOn = [&](OpBuilder &inner, Location loc, ValueRange values) {
    Value isLeft = compare(inner, loc, arith::CmpIPredicate::ne, values[0], 0);
    scf::ConditionOp::create(inner, loc, isLeft, values);
  };
  auto step = [&](OpBuilder &inner, Location loc, ValueRange values) {
    Value unit = createConstant(inner, loc, count, 1);
    Value last = arith::AndIOp::create(inner, loc, values[0], unit);
    Value isOdd = compare(inner, loc, arith::CmpIPredicate::ne, last, 0);
    Value power = arith::SelectOp::create(
        inner, loc, isOdd, multiply(inner, loc, values[2], values[1]),
        values[2]);
    Value square = multiply(inner, loc, values[1], values[1]);
    // An exponent of one bit has nothing to be shifted to.
    Value rest =
        count.isInteger(1)
            ? createConstant(inner, loc, count, 0)
            : arith::ShRUIOp::create(inner, loc, values[0], unit).getResult();
    scf::YieldOp::create(inner, loc, ValueRange{rest, square, power});
  };
  auto loop =
      scf::WhileOp::create(builder, loc, TypeRange{count, type, type},
                           ValueRange{exponent, base, one}, goesOn, step);
  return loop.getResult(2);
}

/// The exponent without its sign, and whether it had one. The least number
/// stays itself, which is right without a sign.
static std::pair<Value, Value> dropSign(OpBuilder &builder, Location loc,
                                        Value exponent) {
  Value isNegative =
      compare(builder, loc, arith::CmpIPredicate::slt, exponent, 0);
  Value opposite = arith::SubIOp::create(
      builder, loc, createConstant(builder, loc, exponent.getType(), 0),
      exponent);
  return {arith::SelectOp::create(builder, loc, isNegative, opposite, exponent),
          isNegative};
}

namespace {
struct ExpandFloatPower : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    if (!isa<FloatType>(type))
      return rewriter.notifyMatchFailure(op, "not a scalar");
    auto [count, isNegative] = dropSign(rewriter, loc, op.getRhs());
    // Squares of narrow floats lose too much.
    Type wide =
        type.getIntOrFloatBitWidth() < 32 ? rewriter.getF32Type() : type;
    Value base = op.getLhs();
    if (wide != type)
      base = arith::ExtFOp::create(rewriter, loc, wide, base);
    Value power = createPower(rewriter, loc, base, count);
    Value one = createConstant(rewriter, loc, wide, 1);
    Value inverse = arith::DivFOp::create(rewriter, loc, one, power);
    Value result =
        arith::SelectOp::create(rewriter, loc, isNegative, inverse, power);
    if (wide != type)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// The inverse of an integer is one for 1 and -1, else 0 (as is that of 0).
struct ExpandIntegerPower : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    if (!isa<IntegerType>(type))
      return rewriter.notifyMatchFailure(op, "not a scalar");
    auto [count, isNegative] = dropSign(rewriter, loc, op.getRhs());
    Value power = createPower(rewriter, loc, op.getLhs(), count);
    Value zero = createConstant(rewriter, loc, type, 0);
    auto is = [&](int64_t value) {
      return compare(rewriter, loc, arith::CmpIPredicate::eq, op.getLhs(),
                     value);
    };
    Value isUnit = arith::OrIOp::create(rewriter, loc, is(1), is(-1));
    Value inverse = arith::SelectOp::create(rewriter, loc, isUnit, power, zero);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNegative, inverse,
                                                 power);
    return success();
  }
};
} // namespace

void mlir::hetero::populateExpandPowersPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandFloatPower, ExpandIntegerPower>(patterns.getContext());
}
