//===- TensorBuilder.h - Makes tensors and constants ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Makes tensors and constants in the IR from what is known of them.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_TENSORBUILDER_H
#define HETERO_LIB_IMPORT_ONNX_TENSORBUILDER_H

#include "Indices.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::hetero::onnx {

/// The constant of a float or integer type, rounded.
TypedAttr makeNumber(Type type, double number);

/// State that the nodes of one function share.
struct FunctionState {
  /// The place of the next constant, at the start of the function.
  Block *entry = nullptr;
  Operation *lastConstant = nullptr;
  DenseMap<std::pair<Attribute, StringRef>, Value> constants;
  MadeOperations made;
};

class TensorBuilder {
public:
  TensorBuilder(FunctionState &state, OpBuilder &b, Location loc)
      : b(b), loc(loc), ix(b, loc, state.made), state(state) {}

  OpBuilder &b;
  Location loc;
  Indices ix;

  /// The tensor in the IR, made if there are only its elements.
  Value value(const Tensor &tensor);
  /// A tensor that an operation has made; it is cast to the sizes.
  Tensor make(ElementType type, ArrayRef<OpFoldResult> sizes, Value value);
  /// A tensor of known elements, each an attribute or a scalar.
  Tensor makeKnown(ElementType type, ArrayRef<OpFoldResult> sizes,
                   ArrayRef<OpFoldResult> elements);
  /// A vector of int64, such as a shape.
  Tensor makeInts(ArrayRef<OpFoldResult> indices);
  /// A scalar constant of any type but complex ones.
  Tensor constant(ElementType type, double number);
  Tensor constantInt(ElementType type, int64_t number);
  /// The elements if they are known without code, else nullopt.
  std::optional<SmallVector<OpFoldResult>> known(const Tensor &tensor);

  Type storage(ElementType type) {
    return getStorageType(b.getContext(), type);
  }
  /// tensor.empty of these sizes.
  Value empty(ElementType type, ArrayRef<OpFoldResult> sizes);
  /// A tensor filled with a scalar.
  Value fill(ElementType type, ArrayRef<OpFoldResult> sizes, Value scalar);
  Value fillZero(ElementType type, ArrayRef<OpFoldResult> sizes);
  /// The value of an element, a constant of its type if it is an attribute.
  Value scalarValue(OpFoldResult element);
  /// A scalar constant in the IR.
  Value scalar(ElementType type, double number);
  /// Erases an operation with all that was built in it.
  void erase(Operation *op);

private:
  Value makeConstant(ElementsAttr attribute, StringRef name);

  FunctionState &state;
};

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_TENSORBUILDER_H
