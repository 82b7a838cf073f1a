//===- Scalars.cpp - Arithmetic on scalars --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"

#include "FloatBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

/// A complex constant without an imaginary part.
static Value makeComplex(OpBuilder &b, Location loc, ComplexType type,
                         double real) {
  Type part = type.getElementType();
  ArrayAttr parts =
      b.getArrayAttr({FloatAttr::get(part, real), FloatAttr::get(part, 0.0)});
  return complex::ConstantOp::create(b, loc, type, parts);
}

Value Scalars::constant(ElementType type, double number) {
  Type storage = getStorageType(b.getContext(), type);
  if (auto complex = dyn_cast<ComplexType>(storage))
    return makeComplex(b, loc, complex, number);
  if (auto floating = dyn_cast<FloatType>(storage))
    return arith::ConstantOp::create(b, loc, FloatAttr::get(floating, number));
  unsigned width = storage.getIntOrFloatBitWidth();
  APInt integer = number < 0 ? APInt(64, int64_t(number), true)
                             : APInt(64, uint64_t(number));
  return arith::ConstantOp::create(
      b, loc, IntegerAttr::get(storage, integer.sextOrTrunc(width)));
}

Value Scalars::constantLike(Value value, double number) {
  if (auto complex = dyn_cast<ComplexType>(value.getType()))
    return makeComplex(b, loc, complex, number);
  if (auto floating = dyn_cast<FloatType>(value.getType()))
    return arith::ConstantOp::create(b, loc, FloatAttr::get(floating, number));
  return arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(value.getType(), int64_t(number)));
}

Value Scalars::add(Value lhs, Value rhs) {
  if (isComplex(type))
    return binary<complex::AddOp>(lhs, rhs);
  if (type == ElementType::Bool)
    return binary<arith::OrIOp>(lhs, rhs);
  return isFloat() ? binary<arith::AddFOp>(lhs, rhs)
                   : binary<arith::AddIOp>(lhs, rhs);
}

Value Scalars::sub(Value lhs, Value rhs) {
  if (isComplex(type))
    return binary<complex::SubOp>(lhs, rhs);
  return isFloat() ? binary<arith::SubFOp>(lhs, rhs)
                   : binary<arith::SubIOp>(lhs, rhs);
}

Value Scalars::mul(Value lhs, Value rhs) {
  if (isComplex(type))
    return binary<complex::MulOp>(lhs, rhs);
  if (type == ElementType::Bool)
    return binary<arith::AndIOp>(lhs, rhs);
  return isFloat() ? binary<arith::MulFOp>(lhs, rhs)
                   : binary<arith::MulIOp>(lhs, rhs);
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
  if (isFloat()) {
    Value rest = binary<arith::RemFOp>(lhs, rhs);
    if (!signOfDivisor)
      return rest;
    Value zero = constantLike(rest, 0);
    Value isOther = binary<arith::XOrIOp>(less(rest, zero), less(rhs, zero));
    Value isMoved = binary<arith::AndIOp>(notEqual(rest, zero), isOther);
    // A rest of 0 has the sign of the divisor.
    return select(
        isMoved, add(rest, rhs),
        select(equal(rest, zero), binary<math::CopySignOp>(zero, rhs), rest));
  }
  if (isUnsigned(type) || !signOfDivisor)
    return sub(lhs, mul(div(lhs, rhs), rhs));
  Value zero = constantLike(rhs, 0);
  Value rest = sub(lhs, mul(div(lhs, rhs), rhs));
  Value isOther = binary<arith::XOrIOp>(less(rest, zero), less(rhs, zero));
  Value isMoved = binary<arith::AndIOp>(notEqual(rest, zero), isOther);
  return select(isMoved, add(rest, rhs), rest);
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
  if (isFloat())
    return binary<arith::MinimumFOp>(lhs, rhs);
  return isUnsigned(type) ? binary<arith::MinUIOp>(lhs, rhs)
                          : binary<arith::MinSIOp>(lhs, rhs);
}

Value Scalars::max(Value lhs, Value rhs) {
  if (isFloat())
    return binary<arith::MaximumFOp>(lhs, rhs);
  return isUnsigned(type) ? binary<arith::MaxUIOp>(lhs, rhs)
                          : binary<arith::MaxSIOp>(lhs, rhs);
}

Value Scalars::less(Value lhs, Value rhs) {
  if (isFloat())
    return b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::OLT, lhs,
                                         rhs);
  return b.createOrFold<arith::CmpIOp>(
      loc,
      isUnsigned(type) ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt,
      lhs, rhs);
}

Value Scalars::lessEqual(Value lhs, Value rhs) {
  if (isFloat())
    return b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::OLE, lhs,
                                         rhs);
  return b.createOrFold<arith::CmpIOp>(
      loc,
      isUnsigned(type) ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle,
      lhs, rhs);
}

Value Scalars::equal(Value lhs, Value rhs) {
  if (isFloat())
    return b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::OEQ, lhs,
                                         rhs);
  if (isComplex(type))
    return binary<complex::EqualOp>(lhs, rhs);
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, lhs, rhs);
}

Value Scalars::notEqual(Value lhs, Value rhs) {
  if (isFloat())
    return b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::UNE, lhs,
                                         rhs);
  if (isComplex(type))
    return binary<complex::NotEqualOp>(lhs, rhs);
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, lhs, rhs);
}

Value Scalars::isNan(Value value) {
  return b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::UNO, value,
                                       value);
}

Value Scalars::select(Value condition, Value yes, Value no) {
  return b.createOrFold<arith::SelectOp>(loc, condition, yes, no);
}

Value Scalars::logicalNot(Value value) {
  Value truth = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  return binary<arith::XOrIOp>(value, truth);
}

Value Scalars::exp(Value value) { return math<math::ExpOp>(value); }
Value Scalars::log(Value value) { return math<math::LogOp>(value); }
Value Scalars::tanh(Value value) { return math<math::TanhOp>(value); }
Value Scalars::sqrt(Value value) { return math<math::SqrtOp>(value); }

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

/// A float as an integer: what does not fit is cut to the low bits of 64.
static Value convertToInteger(Scalars &s, Value value, ElementType to) {
  Type storage = getStorageType(s.b.getContext(), to);
  if (to == ElementType::U64)
    return s.b.createOrFold<arith::FPToUIOp>(s.loc, storage, value);
  unsigned width = storage.getIntOrFloatBitWidth();
  if (width == 64 || (width == 32 && !isUnsigned(to)))
    return s.b.createOrFold<arith::FPToSIOp>(s.loc, storage, value);
  Type wide = s.b.getIntegerType(width == 32 ? 64 : 32);
  Value whole = s.b.createOrFold<arith::FPToSIOp>(s.loc, wide, value);
  return s.cutBits(s.b.createOrFold<arith::TruncIOp>(s.loc, storage, whole),
                   to);
}

/// A float of another width; one of a byte has no other way than f32.
static Value changeWidth(Scalars &s, Value value, Type to) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  if (value.getType() == to)
    return value;
  return from < to.getIntOrFloatBitWidth()
             ? s.b.createOrFold<arith::ExtFOp>(s.loc, to, value)
             : s.b.createOrFold<arith::TruncFOp>(s.loc, to, value);
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
    value = s.b.createOrFold<arith::TruncIOp>(s.loc, storage, value);
  else if (width < storage.getIntOrFloatBitWidth())
    value = isUnsigned(from)
                ? s.b.createOrFold<arith::ExtUIOp>(s.loc, storage, value)
                : s.b.createOrFold<arith::ExtSIOp>(s.loc, storage, value);
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
  Value whole = isUnsigned(from)
                    ? b.createOrFold<arith::UIToFPOp>(loc, storage, value)
                    : b.createOrFold<arith::SIToFPOp>(loc, storage, value);
  return convertFloat(*this, whole, wide, to, saturates);
}
