//===- Formulas.h - Elements that are computed from their places *- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Elements that are computed from their places, by formulas.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_COMPOSE_FORMULAS_H
#define HETERO_LIB_IMPORT_ONNX_COMPOSE_FORMULAS_H

#include "../Emit/Layout.h"
#include "Numbers.h"

namespace mlir::hetero::onnx {

/// The arguments of a body.
struct Loop {
  OpBuilder &b;
  Location loc;
  /// The place in the result, then the inner loops, each an index.
  SmallVector<Number> at;
  /// The elements of the operands there; narrow floats are widened to 32 bits.
  SmallVector<Number> in;

  Number number(Value value) const { return Number(b, loc, value); }
  Number number(OpFoldResult size) const { return Number(b, loc, size); }
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
/// The one element of an input; that of another one is an error, and then 1.
Number readScalar(NodeBuilder &n, unsigned input);
/// The same as a size, which is checked not to be negative.
OpFoldResult readSize(NodeBuilder &n, unsigned input);

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
