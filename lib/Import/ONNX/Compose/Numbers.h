//===- Numbers.h - Numbers in the bodies of loops ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Numbers that are constants or values of the IR. A formula that is written in
// them folds where all that it reads is known: so one formula makes constants
// of static sizes and code for dynamic ones.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_COMPOSE_NUMBERS_H
#define HETERO_LIB_IMPORT_ONNX_COMPOSE_NUMBERS_H

#include "../Emit/Scalars.h"

namespace mlir::hetero::onnx {

/// A constant, which takes the type of what it meets, or a value: a float, a
/// signed integer, an index, or a condition of type i1.
class Number {
public:
  Number(double constant) : constant(constant) {}
  Number(OpBuilder &b, Location loc, Value value);
  /// A size.
  Number(OpBuilder &b, Location loc, OpFoldResult index);

  std::optional<double> getConstant() const { return constant; }
  /// The value; a constant gets the type.
  Value get(OpBuilder &b, Location loc, Type type) const;
  OpFoldResult getIndex(OpBuilder &b, Location loc) const;
  /// Null of a constant.
  Type getType() const { return value ? value.getType() : Type(); }

  /// Conversions; those to integers cut what is after the point.
  Number toIndex() const;
  Number toFloat(unsigned width = 64) const;
  /// Rounded to 32 bits.
  Number rounded() const;

private:
  friend struct NumberMath;
  std::optional<double> constant;
  Value value;
  OpBuilder *b = nullptr;
  LocationAttr loc;
};

Number operator+(Number lhs, Number rhs);
Number operator-(Number lhs, Number rhs);
Number operator*(Number lhs, Number rhs);
/// Of floats.
Number operator/(Number lhs, Number rhs);
/// Of integers; the divisor is positive.
Number floorDiv(Number lhs, Number rhs);
Number floorMod(Number lhs, Number rhs);
Number min(Number lhs, Number rhs);
Number max(Number lhs, Number rhs);
/// `index` within [low, high].
Number clamp(Number index, Number low, Number high);

Number operator<(Number lhs, Number rhs);
Number operator<=(Number lhs, Number rhs);
Number operator==(Number lhs, Number rhs);
Number operator&&(Number lhs, Number rhs);
Number operator||(Number lhs, Number rhs);
Number select(Number condition, Number yes, Number no);

// Of floats.
Number floor(Number x);
Number ceil(Number x);
/// Halves to even ones.
Number roundEven(Number x);
Number abs(Number x);
Number cos(Number x);
Number exp(Number x);
Number log(Number x);
Number pow(Number x, Number y);
Number sqrt(Number x);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_COMPOSE_NUMBERS_H
