//===- Scalars.h - Arithmetic on scalars ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on scalars of an element type, with the type's sign: what bodies
// of elementwise operations and reductions are written in.

#ifndef HETERO_LIB_IMPORT_ONNX_EMIT_SCALARS_H
#define HETERO_LIB_IMPORT_ONNX_EMIT_SCALARS_H

#include "../Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

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
  /// The place in a loop of the operation whose body is built.
  Value index(int64_t loop);

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

  /// An operation, folded: a unary one of the math dialect, one of two
  /// operands, or a conversion to a type.
  template <typename OpTy> Value math(Value value) {
    return b.createOrFold<OpTy>(loc, value);
  }
  template <typename OpTy> Value binary(Value lhs, Value rhs) {
    return b.createOrFold<OpTy>(loc, lhs, rhs);
  }
  template <typename OpTy> Value cast(Value value, Type type) {
    return b.createOrFold<OpTy>(loc, type, value);
  }
  Value exp(Value value) { return math<math::ExpOp>(value); }
  Value log(Value value) { return math<math::LogOp>(value); }
  Value tanh(Value value) { return math<math::TanhOp>(value); }
  Value sqrt(Value value) { return math<math::SqrtOp>(value); }
  /// 1 / (1 + exp(-x))
  Value sigmoid(Value value);

  /// A conversion as Cast has it, of a scalar of type `from`. With `saturates`,
  /// what is too large for a float of a byte is the largest number, else nan or
  /// infinite.
  Value convert(Value value, ElementType from, ElementType to,
                bool saturates = true);
  /// An integer as an index, or an index as an integer of the type.
  Value toIndex(Value value) {
    return cast<arith::IndexCastOp>(value, b.getIndexType());
  }
  Value fromIndex(Value index) {
    return cast<arith::IndexCastOp>(index,
                                    getStorageType(b.getContext(), type));
  }

private:
  Value compare(arith::CmpFPredicate ofFloats, arith::CmpIPredicate ofSigned,
                arith::CmpIPredicate ofUnsigned, Value lhs, Value rhs);
  /// The operation for floats, signed or unsigned integers.
  template <typename FloatOp, typename SignedOp, typename UnsignedOp = SignedOp>
  Value byType(Value lhs, Value rhs) {
    if (isFloat())
      return binary<FloatOp>(lhs, rhs);
    return isUnsigned(type) ? binary<UnsignedOp>(lhs, rhs)
                            : binary<SignedOp>(lhs, rhs);
  }
};

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_EMIT_SCALARS_H
