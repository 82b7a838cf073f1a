//===- Formulas.h - Elements that are computed from their places *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that are computed from their places, by formulas of numbers that are
// constants or values of the IR. A formula folds where all that it reads is
// known: so one formula makes constants of static sizes and code for dynamic
// ones.

#ifndef HETERO_LIB_IMPORT_ONNX_COMPOSE_FORMULAS_H
#define HETERO_LIB_IMPORT_ONNX_COMPOSE_FORMULAS_H

#include "../Emit/Layout.h"

namespace mlir::hetero::onnx {

/// A constant, which takes the type of what it meets, or a value: a float, a
/// signed integer, an index, or a condition of type i1.
class Number {
public:
  Number(double constant) : constant(constant) {}
  Number(OpBuilder &b, Location loc, OpFoldResult scalar);

  std::optional<double> getConstant() const { return constant; }
  /// The value; a constant gets the type, and a float that is to be complex an
  /// imaginary part.
  Value get(OpBuilder &b, Location loc, Type type) const;
  /// The same as an index.
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
/// Divides floats.
Number operator/(Number lhs, Number rhs);
/// These take integers, and a positive divisor.
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

// Functions of floats.
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
Number rsqrt(Number x);
Number tanh(Number x);
Number erf(Number x);
/// exp(x) - 1 and log(1 + x), exact near 0.
Number expm1(Number x);
Number log1p(Number x);
/// 1 / (1 + exp(-x))
Number sigmoid(Number x);
Number operator-(Number x);

/// The arguments of a body.
struct Loop {
  OpBuilder &b;
  Location loc;
  /// The place in the result, then the inner loops, each an index.
  SmallVector<Number> at;
  /// The elements of the operands there; narrow floats are widened to 32 bits.
  SmallVector<Number> in;

  Number number(OpFoldResult scalar) const { return Number(b, loc, scalar); }
  /// An element of a tensor at indices, widened like those of operands.
  Number read(const Tensor &tensor, ArrayRef<Number> place) const;
};

using FormulaBody = llvm::function_ref<Number(const Loop &loop)>;
using CombineFormula =
    llvm::function_ref<Number(const Loop &loop, Number before)>;

/// The same tensor with its value in the IR, to be read in a body.
Tensor materialize(NodeBuilder &n, const Tensor &tensor);
/// A number that is a size.
Number number(NodeBuilder &n, OpFoldResult size);
/// A scalar of a float or signed integer type.
Number number(NodeBuilder &n, ElementType type, OpFoldResult scalar);
/// The one element of an input; that of another one is an error.
Number readScalar(NodeBuilder &n, unsigned input);
/// The same as a size, which is checked not to be negative.
OpFoldResult readSize(NodeBuilder &n, unsigned input);

/// Computes elements of operands that broadcast by a formula of floats, as
/// `elementwise` does; the result has the first one's type.
using NumberBody = llvm::function_ref<Number(ArrayRef<Number> e)>;
Tensor map(NodeBuilder &n, ArrayRef<Tensor> operands, NumberBody body,
           Compute compute = Compute::Native);
/// Computes each element. Operands broadcast to the sizes, by known ones. A
/// body's number is converted to the type if it is of another width.
Tensor compute(NodeBuilder &n, ElementType type, ArrayRef<OpFoldResult> sizes,
               ArrayRef<Tensor> operands, FormulaBody body);
/// Combines, for each element, what a body makes of inner loops.
Tensor combine(NodeBuilder &n, ElementType type, ArrayRef<OpFoldResult> sizes,
               ArrayRef<OpFoldResult> inner, Value start, CombineFormula body);
/// A table without operands: constants where sizes are known and the body
/// folds.
Tensor tabulate(NodeBuilder &n, ElementType type, ArrayRef<OpFoldResult> sizes,
                FormulaBody body);
/// The numbers of a table of constants, or none.
std::optional<SmallVector<double>> getNumbers(const Tensor &table);
/// A vector of places along an axis.
struct AxisPlaces {
  int64_t axis;
  Tensor places;
};
/// Reads, along each of the axes, the elements at the places.
Tensor gatherAxes(NodeBuilder &n, const Tensor &x, ArrayRef<AxisPlaces> axes);
/// Reads an element of any type for each place of the result.
Tensor gatherAt(NodeBuilder &n, const Tensor &x, ArrayRef<OpFoldResult> sizes,
                llvm::function_ref<SmallVector<Number>(const Loop &loop)> body);
/// A vector as an operand along one axis of a result.
Tensor alongAxis(NodeBuilder &n, const Tensor &vector, int64_t axis,
                 int64_t rank);

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_COMPOSE_FORMULAS_H
