//===- ExpandElementTypes.cpp - Arithmetic on f8 and complex --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has neither floats of 8 bits nor complex numbers. Upstream expands
// complex arithmetic, and arithmetic on f8 to conversions around f32:
//
//   %r = arith.mulf %a, %b : f8E4M3FN
//     ->
//   %0 = arith.extf %a : f8E4M3FN to f32
//   %1 = arith.extf %b : f8E4M3FN to f32
//   %2 = arith.mulf %0, %1 : f32
//   %r = arith.truncf %2 : f32 to f8E4M3FN
//
// What upstream does not have are the conversions themselves, which are integer
// arithmetic on the bits here, for every format of 8 bits alike: LLVM's APFloat
// describes them.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Arithmetic/ExpandElementTypes.h"

#include "hetero/Transforms/Checks/GuardArcTangents.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;
using llvm::APFloat;

bool mlir::hetero::isFloat8(Type type) {
  return isa<Float8E5M2Type, Float8E4M3Type, Float8E4M3FNType,
             Float8E5M2FNUZType, Float8E4M3FNUZType, Float8E4M3B11FNUZType,
             Float8E3M4Type>(type);
}

namespace {
/// The bits of a float type.
struct Format {
  explicit Format(Type type)
      : semantics(cast<FloatType>(type).getFloatSemantics()),
        width(APFloat::semanticsSizeInBits(semantics)),
        fraction(APFloat::semanticsPrecision(semantics) - 1),
        bias(1 - APFloat::semanticsMinExponent(semantics)) {}

  static int64_t bitsOf(const APFloat &value) {
    return value.bitcastToAPInt().getZExtValue();
  }
  int64_t largest() const { return bitsOf(APFloat::getLargest(semantics)); }
  int64_t quietNaN() const { return bitsOf(APFloat::getQNaN(semantics)); }
  bool hasInfinity() const { return APFloat::semanticsHasInf(semantics); }
  /// What numbers that are too large become.
  int64_t overflow() const {
    return hasInfinity() ? bitsOf(APFloat::getInf(semantics)) : quietNaN();
  }
  /// Formats without a negative zero have their NaN in its place.
  bool hasNegativeZero() const {
    return bitsOf(APFloat::getZero(semantics, /*Negative=*/true)) != 0;
  }
  /// All bits but the sign.
  int64_t magnitude() const { return (uint64_t(1) << (width - 1)) - 1; }

  const llvm::fltSemantics &semantics;
  int64_t width, fraction, bias;
};

/// Emits integer and float arithmetic on scalars, vectors or tensors alike.
class BitBuilder {
public:
  BitBuilder(PatternRewriter &rewriter, Location loc, Type shape)
      : builder(loc, rewriter), shape(shape) {}

  /// `element`, shaped as the operation's operand.
  Type like(Type element) const {
    auto shaped = dyn_cast<ShapedType>(shape);
    return shaped ? Type(shaped.clone(element)) : element;
  }
  Type integer(int64_t width) { return builder.getIntegerType(width); }

  Value constant(Type element, int64_t number) {
    return splat(element, builder.getIntegerAttr(element, number));
  }
  Value constant(FloatType element, const APFloat &number) {
    return splat(element, FloatAttr::get(element, number));
  }

  template <typename Op> Value make(Value left, Value right) {
    return Op::create(builder, left, right);
  }
  Value isAtLeast(Value left, Value right) {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::uge, left,
                                 right);
  }
  Value isEqual(Value left, Value right) {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, left,
                                 right);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, condition, yes, no);
  }
  Value bitcast(Type element, Value value) {
    return arith::BitcastOp::create(builder, like(element), value);
  }

  ImplicitLocOpBuilder builder;

private:
  Value splat(Type element, TypedAttr attr) {
    Type type = like(element);
    if (auto shaped = dyn_cast<ShapedType>(type))
      attr = DenseElementsAttr::get(shaped, Attribute(attr));
    return arith::ConstantOp::create(builder, type, attr);
  }

  Type shape;
};

/// From f8 by way of f32, which holds all of its numbers.
struct ExpandExtension : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType());
    if (!isFloat8(from))
      return rewriter.notifyMatchFailure(op, "not from f8");
    BitBuilder bits(rewriter, op.getLoc(), op.getIn().getType());
    Value wide = extend(bits, Format(from), op.getIn());
    Type to = getElementTypeOrSelf(op.getType());
    if (to.getIntOrFloatBitWidth() > 32)
      wide = arith::ExtFOp::create(bits.builder, op.getType(), wide);
    else if (to.getIntOrFloatBitWidth() < 32)
      wide = arith::TruncFOp::create(bits.builder, op.getType(), wide);
    rewriter.replaceOp(op, wide);
    return success();
  }

private:
  static Value extend(BitBuilder &bits, const Format &format, Value in) {
    auto f32 = cast<FloatType>(bits.builder.getF32Type());
    Format wide(f32);
    Type i32 = bits.integer(32);
    int64_t shift = wide.fraction - format.fraction;
    auto number = [&](int64_t value) { return bits.constant(i32, value); };
    Value all = arith::ExtUIOp::create(bits.builder, bits.like(i32),
                                       bits.bitcast(bits.integer(8), in));
    Value magnitude = bits.make<arith::AndIOp>(all, number(format.magnitude()));
    // Subnormal numbers are few: their fraction in units of the smallest.
    Value units =
        arith::UIToFPOp::create(bits.builder, bits.like(f32), magnitude);
    APFloat unit = APFloat::getSmallest(format.semantics);
    bool ignored;
    unit.convert(wide.semantics, APFloat::rmNearestTiesToEven, &ignored);
    Value subnormal = bits.bitcast(
        i32, bits.make<arith::MulFOp>(units, bits.constant(f32, unit)));
    Value normal = bits.make<arith::AddIOp>(
        bits.make<arith::ShLIOp>(magnitude, number(shift)),
        number((wide.bias - format.bias) << wide.fraction));
    Value result = bits.select(
        bits.isAtLeast(magnitude, number(int64_t(1) << format.fraction)),
        normal, subnormal);
    Value nan = number(wide.quietNaN());
    Value sign = bits.make<arith::ShLIOp>(
        bits.make<arith::AndIOp>(all, number(format.magnitude() + 1)),
        number(24));
    if (!format.hasNegativeZero()) {
      result = bits.make<arith::OrIOp>(result, sign);
      result = bits.select(bits.isEqual(all, number(format.quietNaN())), nan,
                           result);
      return bits.bitcast(f32, result);
    }
    result = bits.select(
        bits.isAtLeast(magnitude, number(format.largest() + 1)), nan, result);
    if (format.hasInfinity())
      result = bits.select(bits.isEqual(magnitude, number(format.overflow())),
                           number(wide.overflow()), result);
    return bits.bitcast(f32, bits.make<arith::OrIOp>(result, sign));
  }
};

/// To f8, rounded to nearest even once: straight from f64 as well.
struct ExpandTruncation : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type to = getElementTypeOrSelf(op.getType());
    if (!isFloat8(to))
      return rewriter.notifyMatchFailure(op, "not to f8");
    if (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "another way to round");
    BitBuilder bits(rewriter, op.getLoc(), op.getIn().getType());
    Value in = op.getIn();
    if (getElementTypeOrSelf(in.getType()).getIntOrFloatBitWidth() < 32)
      in = arith::ExtFOp::create(bits.builder,
                                 bits.like(bits.builder.getF32Type()), in);
    Value narrow =
        arith::TruncIOp::create(bits.builder, bits.like(bits.integer(8)),
                                truncate(bits, Format(to), in));
    rewriter.replaceOp(op, bits.bitcast(to, narrow));
    return success();
  }

private:
  static Value truncate(BitBuilder &bits, const Format &format, Value in) {
    auto from = cast<FloatType>(getElementTypeOrSelf(in.getType()));
    Format wide(from);
    Type integer = bits.integer(wide.width);
    auto number = [&](int64_t value) { return bits.constant(integer, value); };
    Value all = bits.bitcast(integer, in);
    Value magnitude = bits.make<arith::AndIOp>(all, number(wide.magnitude()));
    Value least = number((wide.bias + 1 - format.bias) << wide.fraction);
    Value result = bits.select(bits.isAtLeast(magnitude, least),
                               roundNormal(bits, format, wide, magnitude),
                               roundSubnormal(bits, format, from, magnitude));
    result = bits.select(bits.isAtLeast(result, number(format.largest() + 1)),
                         number(format.overflow()), result);
    // More than infinity is no number.
    result = bits.select(bits.isAtLeast(magnitude, number(wide.overflow() + 1)),
                         number(format.quietNaN()), result);
    Value sign = bits.make<arith::AndIOp>(
        bits.make<arith::ShRUIOp>(all, number(wide.width - 8)),
        number(format.magnitude() + 1));
    Value negative = bits.make<arith::OrIOp>(result, sign);
    if (format.hasNegativeZero())
      return negative;
    return bits.select(bits.isEqual(result, number(0)), result, negative);
  }

  /// The exponent's bias moves, and a fraction that rounds up carries into it.
  static Value roundNormal(BitBuilder &bits, const Format &format,
                           const Format &wide, Value magnitude) {
    Type integer = bits.integer(wide.width);
    auto number = [&](int64_t value) { return bits.constant(integer, value); };
    int64_t shift = wide.fraction - format.fraction;
    Value moved = bits.make<arith::SubIOp>(
        magnitude, number((wide.bias - format.bias) << wide.fraction));
    Value odd = bits.make<arith::AndIOp>(
        bits.make<arith::ShRUIOp>(moved, number(shift)), number(1));
    Value rounded = bits.make<arith::AddIOp>(
        bits.make<arith::AddIOp>(moved,
                                 number((int64_t(1) << (shift - 1)) - 1)),
        odd);
    return bits.make<arith::ShRUIOp>(rounded, number(shift));
  }

  /// The sum with a number whose last bit counts the smallest f8 is rounded by
  /// the addition itself.
  static Value roundSubnormal(BitBuilder &bits, const Format &format,
                              FloatType from, Value magnitude) {
    Format wide(from);
    Type integer = bits.integer(wide.width);
    int64_t exponent = 1 - format.bias - format.fraction + wide.fraction;
    Value magic = bits.constant(
        from, llvm::scalbn(APFloat::getOne(wide.semantics), exponent,
                           APFloat::rmNearestTiesToEven));
    Value sum = bits.make<arith::AddFOp>(bits.bitcast(from, magnitude), magic);
    return bits.make<arith::SubIOp>(bits.bitcast(integer, sum),
                                    bits.bitcast(integer, magic));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Upstream's expansions
//===----------------------------------------------------------------------===//

static LogicalResult emulateFloat8(Operation *root) {
  MLIRContext *context = root->getContext();
  Type f32 = Float32Type::get(context);
  SmallVector<Type> small = {
      Float8E5M2Type::get(context),       Float8E4M3Type::get(context),
      Float8E4M3FNType::get(context),     Float8E5M2FNUZType::get(context),
      Float8E4M3FNUZType::get(context),   Float8E3M4Type::get(context),
      Float8E4M3B11FNUZType::get(context)};
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(converter, small, f32);
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  math::populateExtendToSupportedTypesPatterns(patterns, converter);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  math::populateExtendToSupportedTypesConversionTarget(target, converter);
  if (failed(applyPartialConversion(root, target, std::move(patterns))))
    return failure();
  RewritePatternSet conversions(context);
  conversions.add<ExpandExtension, ExpandTruncation>(context);
  return applyPatternsGreedily(root, std::move(conversions));
}

static LogicalResult expandComplex(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  populateComplexToStandardConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addLegalDialect<arith::ArithDialect, math::MathDialect>();
  target.addIllegalDialect<complex::ComplexDialect>();
  target.addLegalOp<complex::ConstantOp, complex::CreateOp, complex::ImOp,
                    complex::ReOp, complex::BitcastOp>();
  if (failed(applyPartialConversion(root, target, std::move(patterns))))
    return failure();
  guardArcTangents(root);
  return success();
}

LogicalResult mlir::hetero::expandElementTypes(Operation *root) {
  bool hasFloat8 = false, hasComplex = false;
  auto isFloat8Value = [](Type type) {
    return isFloat8(getElementTypeOrSelf(type));
  };
  root->walk([&](Operation *op) {
    hasFloat8 |= llvm::any_of(op->getOperandTypes(), isFloat8Value) ||
                 llvm::any_of(op->getResultTypes(), isFloat8Value);
    hasComplex |= isa_and_nonnull<complex::ComplexDialect>(op->getDialect());
  });
  if (hasComplex && failed(expandComplex(root)))
    return failure();
  return success(!hasFloat8 || succeeded(emulateFloat8(root)));
}
