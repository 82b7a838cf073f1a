//===- Scalars.cpp - Arithmetic on scalars --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scalars.h"

#include "../TensorBuilder.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <limits>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;
using FloatPredicate = arith::CmpFPredicate;
using IntPredicate = arith::CmpIPredicate;

Value Scalars::constant(ElementType type, double number) {
  return makeScalar(b, loc, getStorageType(b.getContext(), type), number);
}

Value Scalars::constantLike(Value value, double number) {
  return makeScalar(b, loc, value.getType(), number);
}

Value Scalars::index(int64_t loop) {
  return linalg::IndexOp::create(b, loc, loop);
}

Value Scalars::add(Value lhs, Value rhs) {
  if (isComplex(type))
    return binary<complex::AddOp>(lhs, rhs);
  if (type == ElementType::Bool)
    return binary<arith::OrIOp>(lhs, rhs);
  return byType<arith::AddFOp, arith::AddIOp>(lhs, rhs);
}

Value Scalars::sub(Value lhs, Value rhs) {
  if (isComplex(type))
    return binary<complex::SubOp>(lhs, rhs);
  return byType<arith::SubFOp, arith::SubIOp>(lhs, rhs);
}

Value Scalars::mul(Value lhs, Value rhs) {
  if (isComplex(type))
    return binary<complex::MulOp>(lhs, rhs);
  if (type == ElementType::Bool)
    return binary<arith::AndIOp>(lhs, rhs);
  return byType<arith::MulFOp, arith::MulIOp>(lhs, rhs);
}

Value Scalars::div(Value lhs, Value rhs) {
  if (isComplex(type))
    return binary<complex::DivOp>(lhs, rhs);
  if (isFloat())
    return binary<arith::DivFOp>(lhs, rhs);
  // Division by zero, and of the least number by -1, would stop the process.
  Value zero = constantLike(rhs, 0), one = constantLike(rhs, 1);
  Value isZero = equal(rhs, zero);
  if (isUnsigned(type)) {
    Value quotient = binary<arith::DivUIOp>(lhs, select(isZero, one, rhs));
    return select(isZero, zero, quotient);
  }
  Value isMinusOne = equal(rhs, constantLike(rhs, -1));
  Value isSpecial = binary<arith::OrIOp>(isZero, isMinusOne);
  Value quotient = binary<arith::DivSIOp>(lhs, select(isSpecial, one, rhs));
  Value special = select(isZero, zero, sub(zero, lhs));
  return select(isSpecial, special, quotient);
}

Value Scalars::remainder(Value lhs, Value rhs, bool signOfDivisor) {
  Value rest = isFloat() ? binary<arith::RemFOp>(lhs, rhs)
                         : sub(lhs, mul(div(lhs, rhs), rhs));
  if (isUnsigned(type) || !signOfDivisor)
    return rest;
  Value zero = constantLike(rest, 0);
  Value isOther = binary<arith::XOrIOp>(less(rest, zero), less(rhs, zero));
  Value isMoved = binary<arith::AndIOp>(notEqual(rest, zero), isOther);
  Value moved = add(rest, rhs);
  // A rest of 0 has the sign of the divisor.
  if (isFloat())
    rest = select(equal(rest, zero), binary<math::CopySignOp>(zero, rhs), rest);
  return select(isMoved, moved, rest);
}

Value Scalars::neg(Value value) {
  return isFloat() ? math<arith::NegFOp>(value)
                   : sub(constantLike(value, 0), value);
}

Value Scalars::abs(Value value) {
  if (isUnsigned(type))
    return value;
  return isFloat() ? math<math::AbsFOp>(value) : math<math::AbsIOp>(value);
}

Value Scalars::min(Value lhs, Value rhs) {
  return byType<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(lhs, rhs);
}

Value Scalars::max(Value lhs, Value rhs) {
  return byType<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(lhs, rhs);
}

Value Scalars::compare(FloatPredicate ofFloats, IntPredicate ofSigned,
                       IntPredicate ofUnsigned, Value lhs, Value rhs) {
  if (isFloat())
    return b.createOrFold<arith::CmpFOp>(loc, ofFloats, lhs, rhs);
  return b.createOrFold<arith::CmpIOp>(
      loc, isUnsigned(type) ? ofUnsigned : ofSigned, lhs, rhs);
}

Value Scalars::less(Value lhs, Value rhs) {
  return compare(FloatPredicate::OLT, IntPredicate::slt, IntPredicate::ult, lhs,
                 rhs);
}

Value Scalars::lessEqual(Value lhs, Value rhs) {
  return compare(FloatPredicate::OLE, IntPredicate::sle, IntPredicate::ule, lhs,
                 rhs);
}

Value Scalars::equal(Value lhs, Value rhs) {
  if (isComplex(type))
    return binary<complex::EqualOp>(lhs, rhs);
  return compare(FloatPredicate::OEQ, IntPredicate::eq, IntPredicate::eq, lhs,
                 rhs);
}

Value Scalars::notEqual(Value lhs, Value rhs) {
  if (isComplex(type))
    return binary<complex::NotEqualOp>(lhs, rhs);
  return compare(FloatPredicate::UNE, IntPredicate::ne, IntPredicate::ne, lhs,
                 rhs);
}

Value Scalars::isNan(Value value) {
  return b.createOrFold<arith::CmpFOp>(loc, FloatPredicate::UNO, value, value);
}

Value Scalars::select(Value condition, Value yes, Value no) {
  return b.createOrFold<arith::SelectOp>(loc, condition, yes, no);
}

Value Scalars::logicalNot(Value value) {
  return binary<arith::XOrIOp>(value, constant(ElementType::Bool, 1));
}

Value Scalars::sigmoid(Value value) {
  Value one = constantLike(value, 1);
  Value power = exp(math<arith::NegFOp>(value));
  return binary<arith::DivFOp>(one, binary<arith::AddFOp>(power, one));
}

Value Scalars::cutBits(Value value, ElementType type) {
  unsigned bits = getBitWidth(type);
  if (bits >= 8)
    return value;
  Value count = constantLike(value, 8 - bits);
  Value high = binary<arith::ShLIOp>(value, count);
  return isUnsigned(type) ? binary<arith::ShRUIOp>(high, count)
                          : binary<arith::ShRSIOp>(high, count);
}

/// The f32 that bits (of type i8) of a format are.
static Value decodeFloat(Scalars &s, Value bits, FloatType format) {
  const llvm::fltSemantics &semantics = format.getFloatSemantics();
  unsigned width = format.getWidth();
  SmallVector<float> numbers;
  for (unsigned i = 0; i < (1u << width); ++i) {
    APFloat number(semantics, APInt(width, i));
    // The conversion of one that has no infinity makes one of its nan.
    numbers.push_back(number.isNaN() ? std::numeric_limits<float>::quiet_NaN()
                                     : number.convertToFloat());
  }
  auto type = RankedTensorType::get(int64_t(numbers.size()), s.b.getF32Type());
  Value table = arith::ConstantOp::create(
      s.b, s.loc, DenseElementsAttr::get(type, ArrayRef(numbers)));
  Value place = s.cast<arith::IndexCastUIOp>(bits, s.b.getIndexType());
  return tensor::ExtractOp::create(s.b, s.loc, table, place);
}

namespace {
/// Arithmetic on the bits of an f32.
struct Bits : Scalars {
  explicit Bits(Scalars &f) : Scalars(f.b, f.loc, ElementType::I32) {}

  Value shiftLeft(Value lhs, int64_t count) {
    return binary<arith::ShLIOp>(lhs, constant(count));
  }
  Value shiftRight(Value lhs, int64_t count) {
    return binary<arith::ShRUIOp>(lhs, constant(count));
  }
  Value mask(Value lhs, int64_t bits) {
    return binary<arith::AndIOp>(lhs, constant(bits));
  }
};
} // namespace

/// The bits of a power of two, whose exponent is all there is; numbers between
/// two of them become the larger one.
static Value encodePower(Bits &s, Value magnitude, bool saturates) {
  Value infinite = s.constant(0x7f800000), none = s.constant(255);
  Value power = s.shiftRight(s.add(magnitude, s.constant(0x7fffff)), 23);
  if (saturates)
    power = s.min(power, s.constant(254));
  Value special = s.select(s.equal(magnitude, infinite),
                           s.constant(saturates ? 254 : 255), none);
  return s.select(s.lessEqual(infinite, magnitude), special, power);
}

/// The bits of a number that has a sign and a fraction.
static Value encodeSigned(Bits &s, Value value, Value whole, Value magnitude,
                          FloatType format, bool saturates) {
  const llvm::fltSemantics &semantics = format.getFloatSemantics();
  int64_t fraction = int64_t(APFloat::semanticsPrecision(semantics)) - 1;
  int64_t bias = 1 - APFloat::semanticsMinExponent(semantics);
  auto bitsOf = [](const APFloat &number) {
    return int64_t(number.bitcastToAPInt().getZExtValue());
  };
  int64_t largest = bitsOf(APFloat::getLargest(semantics));
  bool hasNan = APFloat::semanticsHasNaN(semantics);
  int64_t nan = hasNan ? bitsOf(APFloat::getQNaN(semantics)) : largest;
  // All of the formats saturate where they have neither nan nor infinities.
  int64_t above = saturates || !hasNan ? largest : nan;
  Scalars wide(s.b, s.loc, ElementType::F32);
  // Normal numbers: round to even, and take off the difference of the biases.
  int64_t dropped = 23 - fraction;
  Value odd = s.mask(s.shiftRight(magnitude, dropped), 1);
  Value half = s.constant((int64_t(1) << (dropped - 1)) - 1);
  Value rounded = s.shiftRight(s.add(magnitude, s.add(odd, half)), dropped);
  Value normal = s.sub(rounded, s.constant((127 - bias) << fraction));
  // Smaller ones are multiples of the least.
  Value size = wide.abs(value);
  Value small = wide.less(size, wide.constant(std::ldexp(1.0, int(1 - bias))));
  // Others would not fit an integer.
  Value part = wide.select(small, size, wide.constant(0));
  Value multiple = wide.math<math::RoundEvenOp>(
      wide.mul(part, wide.constant(std::ldexp(1.0, int(bias - 1 + fraction)))));
  Value steps = s.cast<arith::FPToSIOp>(multiple, s.b.getI32Type());
  Value made = s.select(small, steps, normal);
  made = s.select(s.less(s.constant(largest), made), s.constant(above), made);
  Value sign = s.shiftLeft(s.shiftRight(whole, 31), format.getWidth() - 1);
  Value isSigned = s.binary<arith::OrIOp>(made, sign);
  // A format without a negative zero has nan there.
  if (!APFloat::getZero(semantics, true).isNegative()) {
    Value keeps = s.notEqual(made, s.constant(0));
    if (above == nan)
      keeps = s.binary<arith::AndIOp>(keeps, s.notEqual(made, s.constant(nan)));
    isSigned = s.select(keeps, isSigned, made);
  }
  return s.select(wide.isNan(value), s.constant(nan), isSigned);
}

/// The bits (of type i8) of the nearest number of a format, to even. With
/// `saturates`, what is too large is the largest, else infinite or nan.
static Value encodeFloat(Scalars &f, Value value, FloatType format,
                         bool saturates) {
  Bits s(f);
  Value whole = s.cast<arith::BitcastOp>(value, s.b.getI32Type());
  Value magnitude = s.mask(whole, 0x7fffffff);
  Value made =
      isa<Float8E8M0FNUType>(format)
          ? encodePower(s, magnitude, saturates)
          : encodeSigned(s, value, whole, magnitude, format, saturates);
  return s.cast<arith::TruncIOp>(made, s.b.getI8Type());
}

/// A float as an integer: what does not fit is cut to the low bits of 64.
/// Integers of less than a byte are rounded, others cut.
static Value convertToInteger(Scalars &s, Value value, ElementType to) {
  Type storage = getStorageType(s.b.getContext(), to);
  if (getBitWidth(to) < 8)
    value = s.math<math::RoundEvenOp>(value);
  if (to == ElementType::U64)
    return s.cast<arith::FPToUIOp>(value, storage);
  unsigned width = storage.getIntOrFloatBitWidth();
  if (width == 64 || (width == 32 && !isUnsigned(to)))
    return s.cast<arith::FPToSIOp>(value, storage);
  Type wide = s.b.getIntegerType(width == 32 ? 64 : 32);
  Value whole = s.cast<arith::FPToSIOp>(value, wide);
  return s.cutBits(s.cast<arith::TruncIOp>(whole, storage), to);
}

/// A float of another width; one of a byte has no other way than f32.
static Value changeWidth(Scalars &s, Value value, Type to) {
  if (value.getType() == to)
    return value;
  bool isWider =
      value.getType().getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  return isWider ? s.cast<arith::ExtFOp>(value, to)
                 : s.cast<arith::TruncFOp>(value, to);
}

/// A float that is stored as such or as its bits, to the same.
static Value convertFloat(Scalars &s, Value value, ElementType from,
                          ElementType to, bool saturates) {
  MLIRContext *context = s.b.getContext();
  Type storage = getStorageType(context, to);
  FloatType fromBits = getBitsFormat(context, from);
  if (fromBits && !isa<FloatType>(value.getType()))
    value = decodeFloat(s, value, fromBits);
  if (!isNarrowFloat(to) || (getBitWidth(to) == 16 && !isNarrowFloat(from)))
    return changeWidth(s, value, storage);
  value = changeWidth(s, value, s.b.getF32Type());
  if (FloatType format = getBitsFormat(context, to))
    return encodeFloat(s, value, format, saturates);
  if (saturates && getBitWidth(to) == 8) {
    const llvm::fltSemantics &format =
        cast<FloatType>(storage).getFloatSemantics();
    double largest = APFloat::getLargest(format).convertToDouble();
    value = s.binary<arith::MinimumFOp>(value, s.constantLike(value, largest));
    value = s.binary<arith::MaximumFOp>(value, s.constantLike(value, -largest));
  }
  return changeWidth(s, value, storage);
}

static Value convertInteger(Scalars &s, Value value, ElementType from,
                            ElementType to) {
  Type storage = getStorageType(s.b.getContext(), to);
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (width > storage.getIntOrFloatBitWidth())
    value = s.cast<arith::TruncIOp>(value, storage);
  else if (width < storage.getIntOrFloatBitWidth())
    value = isUnsigned(from) ? s.cast<arith::ExtUIOp>(value, storage)
                             : s.cast<arith::ExtSIOp>(value, storage);
  return s.cutBits(value, to);
}

Value Scalars::convert(Value value, ElementType from, ElementType to,
                       bool saturates) {
  if (from == to)
    return value;
  if (onnx::isFloat(from) && !onnx::isFloat(to)) {
    value = convertFloat(*this, value, from, getAccumulator(from), saturates);
    if (to != ElementType::Bool)
      return convertToInteger(*this, value, to);
    from = getAccumulator(from);
  }
  if (to == ElementType::Bool) {
    Scalars same(b, loc, from);
    return same.notEqual(value, same.constantLike(value, 0));
  }
  if (onnx::isFloat(from))
    return convertFloat(*this, value, from, to, saturates);
  if (!onnx::isFloat(to))
    return convertInteger(*this, value, from, to);
  // Integers become narrow floats by way of f32.
  ElementType wide = getAccumulator(to);
  Type storage = getStorageType(b.getContext(), wide);
  Value whole = isUnsigned(from) ? cast<arith::UIToFPOp>(value, storage)
                                 : cast<arith::SIToFPOp>(value, storage);
  return convertFloat(*this, whole, wide, to, saturates);
}
