//===- Scalars.h - Arithmetic on scalars ------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Arithmetic on scalars of an element type, with the type's sign: what bodies
// of elementwise operations and reductions are written in.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_SCALARS_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_SCALARS_H

#include "../Values.h"
#include "mlir/IR/Builders.h"

namespace mlir::hetero::onnx {

class Scalars {
public:
  /// Operands are of `type`; it says the sign where they are integers.
  Scalars(OpBuilder &b, Location loc, ElementType type)
      : b(b), loc(loc), type(type) {}

  OpBuilder &b;
  Location loc;
  ElementType type;

  bool isFloat() const { return onnx::isFloat(type); }

  /// A constant of the operands' type, or of another one.
  Value constant(double number) { return constant(type, number); }
  Value constant(ElementType type, double number);
  Value constantLike(Value value, double number);

  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  /// Integers: towards zero; 0 where the divisor is 0, and the dividend where
  /// the quotient does not fit.
  Value div(Value lhs, Value rhs);
  /// The remainder with the sign of the dividend (C) or of the divisor
  /// (Python).
  Value remainder(Value lhs, Value rhs, bool signOfDivisor);
  Value neg(Value value);
  Value abs(Value value);
  /// nan if one of them is nan.
  Value min(Value lhs, Value rhs);
  Value max(Value lhs, Value rhs);
  /// i1; comparisons with nan are false, but for notEqual.
  Value less(Value lhs, Value rhs);
  Value lessEqual(Value lhs, Value rhs);
  Value equal(Value lhs, Value rhs);
  Value notEqual(Value lhs, Value rhs);
  Value isNan(Value value);
  /// An integer of a byte as one of the type: its low bits, with their sign.
  Value cutBits(Value value, ElementType type);
  Value select(Value condition, Value yes, Value no);
  Value logicalNot(Value value);

  /// A unary operation of the math dialect, such as math::ExpOp.
  template <typename OpTy> Value math(Value value) {
    return b.createOrFold<OpTy>(loc, value);
  }
  template <typename OpTy> Value binary(Value lhs, Value rhs) {
    return b.createOrFold<OpTy>(loc, lhs, rhs);
  }
  Value exp(Value value);
  Value log(Value value);
  Value tanh(Value value);
  Value sqrt(Value value);
  /// 1 / (1 + exp(-x))
  Value sigmoid(Value value);

  /// A conversion as Cast has it, of a scalar of type `from`. With `saturates`,
  /// what is too large for a float of a byte is the largest number, else nan or
  /// infinite.
  Value convert(Value value, ElementType from, ElementType to,
                bool saturates = true);
};

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_SCALARS_H
