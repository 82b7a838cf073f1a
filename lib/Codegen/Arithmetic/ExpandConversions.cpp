//===- ExpandConversions.cpp - Floats that no integer holds ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A float that the integer cannot hold becomes its nearest number, and NaN 0;
// the instructions of processors differ:
//
//   %r = arith.fptoui %x : f32 to i8
//     ->
//   %0 = select %x > 0.0, %x, 0.0
//   %1 = select %0 < 255.0, %0, 255.0
//   %r = arith.fptoui %1 : f32 to i8
//
// The largest i32 is no f32. There the result is chosen:
//
//   %0 = select %x < 2147483648.0, %x, 0.0
//   %1 = select %0 > -2147483648.0, %0, -2147483648.0
//   %2 = arith.fptosi %1 : f32 to i32
//   %r = select %x >= 2147483648.0, 2147483647, %2
//
// Front ends use arith.fptosi for unsigned bytes, too. So a signed conversion
// to fewer than 32 bits gives the low bits of the one to i32, unless the
// numbers are known to fit:
//
//   %r = trunc(fptosi %x : f32 to i32)
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Arithmetic/ExpandConversions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {
/// The numbers that a value may be, as f64.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool maybeNaN = true;
};
} // namespace

static double toDouble(APFloat number) {
  bool ignored;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &ignored);
  return number.convertToDouble();
}

static std::optional<APFloat> getConstant(Value value) {
  APFloat number(0.0);
  return matchPattern(value, m_ConstantFloat(&number)) ? std::optional(number)
                                                       : std::nullopt;
}

static Bounds getBounds(Value value);

/// The bounds of `value`, at least (`isLow`) or at most `bound`.
static Bounds limit(Bounds bounds, const APFloat &bound, bool isLow) {
  double &end = isLow ? bounds.low : bounds.high;
  double &other = isLow ? bounds.high : bounds.low;
  double number = toDouble(bound);
  end = isLow ? std::max(end, number) : std::min(end, number);
  other = isLow ? std::max(other, number) : std::min(other, number);
  return bounds;
}

/// The bounds of a select as the expansion below writes it: an operand that
/// compares with a constant, else a constant.
static Bounds getBoundsOfSelect(arith::SelectOp op) {
  auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
  std::optional<APFloat> other = getConstant(op.getFalseValue());
  if (!compare || !other || other->isNaN() ||
      compare.getLhs() != op.getTrueValue())
    return {};
  Bounds bounds = getBounds(op.getTrueValue());
  std::optional<APFloat> bound = getConstant(compare.getRhs());
  switch (compare.getPredicate()) {
  case arith::CmpFPredicate::ORD:
    break;
  case arith::CmpFPredicate::OGT:
    if (bound)
      bounds.low = std::max(bounds.low, toDouble(*bound));
    break;
  case arith::CmpFPredicate::OLT:
    if (bound && !bound->isNaN()) {
      bound->next(/*nextDown=*/true);
      bounds.high = std::min(bounds.high, toDouble(*bound));
    }
    break;
  default:
    return {};
  }
  double number = toDouble(*other);
  return {std::min(bounds.low, number), std::max(bounds.high, number), false};
}

/// The bounds of a maximum or minimum with a constant.
static Bounds getBoundsOfExtreme(Operation *op) {
  std::optional<APFloat> bound = getConstant(op->getOperand(1));
  if (!bound || bound->isNaN())
    return {};
  bool isLow = isa<arith::MaximumFOp, arith::MaxNumFOp>(op);
  Bounds bounds = limit(getBounds(op->getOperand(0)), *bound, isLow);
  bounds.maybeNaN &= isa<arith::MaximumFOp, arith::MinimumFOp>(op);
  return bounds;
}

static Bounds getBounds(Value value) {
  if (std::optional<APFloat> number = getConstant(value))
    return number->isNaN()
               ? Bounds()
               : Bounds{toDouble(*number), toDouble(*number), false};
  Operation *op = value.getDefiningOp();
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
    return getBoundsOfSelect(select);
  if (isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                      arith::MinNumFOp>(op))
    return getBoundsOfExtreme(op);
  if (isa_and_nonnull<arith::ExtFOp>(op))
    return getBounds(op->getOperand(0));
  if (!isa_and_nonnull<math::RoundEvenOp, math::RoundOp, math::TruncOp,
                       math::FloorOp, math::CeilOp>(op))
    return {};
  Bounds bounds = getBounds(op->getOperand(0));
  return {std::floor(bounds.low), std::ceil(bounds.high), bounds.maybeNaN};
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

namespace {
/// Emits arithmetic on scalars, vectors or tensors alike.
class Saturation {
public:
  Saturation(OpBuilder &rewriter, Location loc, Value in, unsigned width,
             bool isSigned)
      : builder(loc, rewriter), in(in), width(width), isSigned(isSigned),
        places(width - isSigned), bounds(getBounds(in)) {}

  /// True if nothing is to be done.
  bool holdsAll() const { return !bounds.maybeNaN && fits(); }
  /// True if every number but NaN is one of the integer type.
  bool fits() const { return fitsLow() && fitsHigh(); }
  /// The nearest number to which the conversion is defined.
  Value clamp();
  /// `converted`, or the largest integer where that is no float.
  Value chooseLargest(Value converted);

private:
  /// The least number that is too large.
  APFloat getEnd() const {
    return llvm::scalbn(APFloat::getOne(semantics), places,
                        APFloat::rmNearestTiesToEven);
  }
  APFloat getLowest() const {
    return isSigned ? -getEnd() : APFloat::getZero(semantics);
  }
  bool isLargestExact() const {
    return places <= APFloat::semanticsPrecision(semantics);
  }
  bool fitsLow() const { return bounds.low >= toDouble(getLowest()); }
  bool fitsHigh() const { return bounds.high < toDouble(getEnd()); }

  Value constant(Type type, TypedAttr number) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      number = DenseElementsAttr::get(shaped, Attribute(number));
    return arith::ConstantOp::create(builder, number);
  }
  Value constant(const APFloat &number) {
    Type type = in.getType();
    return constant(type,
                    builder.getFloatAttr(getElementTypeOrSelf(type), number));
  }
  /// `x` where it compares with `bound` like that, else `other`.
  Value keepIf(arith::CmpFPredicate predicate, Value x, Value bound,
               const APFloat &other) {
    Value condition = arith::CmpFOp::create(builder, predicate, x, bound);
    return arith::SelectOp::create(builder, condition, x, constant(other));
  }

  ImplicitLocOpBuilder builder;
  Value in;
  unsigned width;
  bool isSigned;
  /// The bits without the sign.
  unsigned places;
  Bounds bounds;
  const llvm::fltSemantics &semantics =
      cast<FloatType>(getElementTypeOrSelf(in.getType())).getFloatSemantics();
};
} // namespace

Value Saturation::clamp() {
  APFloat zero = APFloat::getZero(semantics);
  Value x = in;
  if (!fitsHigh() && !isLargestExact())
    x = keepIf(arith::CmpFPredicate::OLT, x, constant(getEnd()), zero);
  else if (bounds.maybeNaN && (isSigned || fitsLow()))
    x = keepIf(arith::CmpFPredicate::ORD, x, x, zero);
  // NaN is not greater than 0 either.
  if (!fitsLow())
    x = keepIf(arith::CmpFPredicate::OGT, x, constant(getLowest()),
               getLowest());
  if (!fitsHigh() && isLargestExact()) {
    APFloat largest = getEnd() - APFloat::getOne(semantics);
    x = keepIf(arith::CmpFPredicate::OLT, x, constant(largest), largest);
  }
  return x;
}

Value Saturation::chooseLargest(Value converted) {
  if (fitsHigh() || isLargestExact())
    return converted;
  Value isTooLarge = arith::CmpFOp::create(builder, arith::CmpFPredicate::OGE,
                                           in, constant(getEnd()));
  Type type = converted.getType();
  APInt largest =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  Value most = constant(
      type, builder.getIntegerAttr(getElementTypeOrSelf(type), largest));
  return arith::SelectOp::create(builder, isTooLarge, most, converted);
}

namespace {
template <typename OpT> struct ExpandConversion : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value in = op.getIn();
    auto like = [](Type type, Type element) {
      auto shaped = dyn_cast<ShapedType>(type);
      return shaped ? Type(shaped.clone(element)) : element;
    };
    if (getElementTypeOrSelf(in.getType()).getIntOrFloatBitWidth() < 32)
      in = arith::ExtFOp::create(rewriter, loc,
                                 like(in.getType(), rewriter.getF32Type()), in);
    unsigned width = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
    constexpr bool isSigned = std::is_same_v<OpT, arith::FPToSIOp>;
    bool keepsLowBits = isSigned && width < 32 &&
                        !Saturation(rewriter, loc, in, width, isSigned).fits();
    Saturation saturation(rewriter, loc, in, keepsLowBits ? 32 : width,
                          isSigned);
    // LLVM's NVPTX back end compares with zero the wrong way round where it
    // converts to i1 (LLVM 22).
    bool isNarrow = keepsLowBits || width < 8;
    if (in == op.getIn() && !isNarrow && saturation.holdsAll())
      return rewriter.notifyMatchFailure(op, "holds all numbers");
    Type type =
        isNarrow ? like(op.getType(), rewriter.getI32Type()) : op.getType();
    Value converted = saturation.chooseLargest(
        OpT::create(rewriter, loc, type, saturation.clamp()));
    if (isNarrow)
      converted =
          arith::TruncIOp::create(rewriter, loc, op.getType(), converted);
    rewriter.replaceOp(op, converted);
    return success();
  }
};
} // namespace

void mlir::hetero::populateExpandConversionsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ExpandConversion<arith::FPToSIOp>,
               ExpandConversion<arith::FPToUIOp>>(patterns.getContext());
}
