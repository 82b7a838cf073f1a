//===- Numbers.cpp - Numbers in the bodies of loops -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

Number::Number(OpBuilder &b, Location loc, Value value)
    : value(value), b(&b), loc(loc) {
  // Constants of the IR fold, too.
  if (value.getType().isIndex())
    if (std::optional<int64_t> known = getConstantIntValue(value)) {
      constant = double(*known);
      this->value = Value();
    }
}

Number::Number(OpBuilder &b, Location loc, OpFoldResult index)
    : b(&b), loc(loc) {
  if (std::optional<int64_t> known = getInt(index))
    constant = double(*known);
  else
    value = cast<Value>(index);
}

Value Number::get(OpBuilder &b, Location loc, Type type) const {
  if (value)
    return value;
  if (auto floating = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(b, loc,
                                     FloatAttr::get(floating, *constant));
  return arith::ConstantOp::create(b, loc,
                                   b.getIntegerAttr(type, int64_t(*constant)));
}

OpFoldResult Number::getIndex(OpBuilder &b, Location loc) const {
  if (constant)
    return b.getIndexAttr(int64_t(*constant));
  return toIndex().value;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace mlir::hetero::onnx {
/// Operands of one operation, with what makes it.
struct NumberMath {
  NumberMath(Number lhs, Number rhs)
      : lhs(lhs), rhs(rhs), maker(lhs.value ? lhs : rhs) {}

  bool isConstant() const { return lhs.constant && rhs.constant; }
  double left() const { return *lhs.constant; }
  double right() const { return *rhs.constant; }

  /// Calls `make` with a builder of scalars and both values.
  template <typename F> Number emit(F make) {
    OpBuilder &b = *maker.b;
    Location loc = maker.loc;
    Type type = maker.value.getType();
    ElementType kind =
        isa<FloatType>(type) ? ElementType::F64 : ElementType::I64;
    Scalars s(b, loc, kind);
    return Number(b, loc,
                  make(s, lhs.get(b, loc, type), rhs.get(b, loc, type)));
  }
  /// A function of the one operand.
  template <typename OpTy, typename F> static Number call(Number x, F known) {
    if (x.constant)
      return known(*x.constant);
    return NumberMath(x, x).emit(
        [](Scalars &s, Value value, Value) { return s.math<OpTy>(value); });
  }
  /// A conversion to a type.
  template <typename OpTy> static Number convert(Number x, Type type) {
    return Number(*x.b, x.loc, x.b->createOrFold<OpTy>(x.loc, type, x.value));
  }

  Number lhs, rhs, maker;
};
} // namespace mlir::hetero::onnx

#define HETERO_NUMBER_BINARY(NAME, KNOWN, METHOD)                              \
  Number onnx::NAME(Number lhs, Number rhs) {                                  \
    NumberMath m(lhs, rhs);                                                    \
    if (m.isConstant())                                                        \
      return KNOWN;                                                            \
    return m.emit(                                                             \
        [](Scalars &s, Value a, Value b) { return s.METHOD(a, b); });          \
  }
HETERO_NUMBER_BINARY(operator+, m.left() + m.right(), add)
HETERO_NUMBER_BINARY(operator-, m.left() - m.right(), sub)
HETERO_NUMBER_BINARY(operator*, m.left() * m.right(), mul)
HETERO_NUMBER_BINARY(operator/, m.left() / m.right(), binary<arith::DivFOp>)
HETERO_NUMBER_BINARY(floorDiv, std::floor(m.left() / m.right()),
                     binary<arith::FloorDivSIOp>)
HETERO_NUMBER_BINARY(min, std::min(m.left(), m.right()), min)
HETERO_NUMBER_BINARY(max, std::max(m.left(), m.right()), max)
HETERO_NUMBER_BINARY(operator<, m.left() < m.right(), less)
HETERO_NUMBER_BINARY(operator<=, m.left() <= m.right(), lessEqual)
HETERO_NUMBER_BINARY(operator==, m.left() == m.right(), equal)
HETERO_NUMBER_BINARY(pow, std::pow(m.left(), m.right()), binary<math::PowFOp>)
#undef HETERO_NUMBER_BINARY

Number onnx::floorMod(Number lhs, Number rhs) {
  return lhs - floorDiv(lhs, rhs) * rhs;
}

Number onnx::clamp(Number index, Number low, Number high) {
  return min(max(index, low), high);
}

Number onnx::operator&&(Number lhs, Number rhs) {
  if (lhs.getConstant())
    return *lhs.getConstant() != 0 ? rhs : Number(0);
  if (rhs.getConstant())
    return *rhs.getConstant() != 0 ? lhs : Number(0);
  return NumberMath(lhs, rhs).emit([](Scalars &s, Value a, Value b) {
    return s.binary<arith::AndIOp>(a, b);
  });
}

Number onnx::operator||(Number lhs, Number rhs) {
  if (lhs.getConstant())
    return *lhs.getConstant() != 0 ? Number(1) : rhs;
  if (rhs.getConstant())
    return *rhs.getConstant() != 0 ? Number(1) : lhs;
  return NumberMath(lhs, rhs).emit([](Scalars &s, Value a, Value b) {
    return s.binary<arith::OrIOp>(a, b);
  });
}

Number onnx::select(Number condition, Number yes, Number no) {
  if (condition.getConstant())
    return *condition.getConstant() != 0 ? yes : no;
  NumberMath m(yes, no);
  if (m.isConstant() && m.left() == m.right())
    return yes;
  // Two constants make a float of 64 bits.
  return NumberMath(condition, condition)
      .emit([&](Scalars &s, Value truth, Value) {
        Type type = m.isConstant() ? Type(s.b.getF64Type()) : m.maker.getType();
        return s.select(truth, yes.get(s.b, s.loc, type),
                        no.get(s.b, s.loc, type));
      });
}

Number onnx::floor(Number x) {
  return NumberMath::call<math::FloorOp>(
      x, [](double x) { return std::floor(x); });
}
Number onnx::ceil(Number x) {
  return NumberMath::call<math::CeilOp>(x,
                                        [](double x) { return std::ceil(x); });
}
Number onnx::roundEven(Number x) {
  return NumberMath::call<math::RoundEvenOp>(
      x, [](double x) { return std::nearbyint(x); });
}
Number onnx::abs(Number x) {
  return NumberMath::call<math::AbsFOp>(x,
                                        [](double x) { return std::abs(x); });
}
Number onnx::cos(Number x) {
  return NumberMath::call<math::CosOp>(x, [](double x) { return std::cos(x); });
}
Number onnx::exp(Number x) {
  return NumberMath::call<math::ExpOp>(x, [](double x) { return std::exp(x); });
}
Number onnx::log(Number x) {
  return NumberMath::call<math::LogOp>(x, [](double x) { return std::log(x); });
}
Number onnx::sqrt(Number x) {
  return NumberMath::call<math::SqrtOp>(x,
                                        [](double x) { return std::sqrt(x); });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Number Number::toIndex() const {
  if (constant)
    return std::trunc(*constant);
  if (value.getType().isIndex())
    return *this;
  Number whole = *this;
  if (isa<FloatType>(value.getType()))
    whole = NumberMath::convert<arith::FPToSIOp>(*this, b->getI64Type());
  return NumberMath::convert<arith::IndexCastOp>(whole, b->getIndexType());
}

Number Number::toFloat(unsigned width) const {
  if (constant)
    return *this;
  FloatType type = width == 32 ? FloatType(b->getF32Type()) : b->getF64Type();
  if (auto own = dyn_cast<FloatType>(value.getType())) {
    if (own == type)
      return *this;
    return own.getWidth() < width
               ? NumberMath::convert<arith::ExtFOp>(*this, type)
               : NumberMath::convert<arith::TruncFOp>(*this, type);
  }
  Number whole = *this;
  if (value.getType().isIndex())
    whole = NumberMath::convert<arith::IndexCastOp>(*this, b->getI64Type());
  return value.getType().isInteger(1)
             ? NumberMath::convert<arith::UIToFPOp>(whole, type)
             : NumberMath::convert<arith::SIToFPOp>(whole, type);
}

Number Number::rounded() const {
  return constant ? Number(double(float(*constant))) : toFloat(32).toFloat(64);
}
