//===- TensorBuilder.h - Makes sizes, tensors and constants -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes tensors and constants in the IR from what is known of them. Arithmetic
// of sizes and indices is folded as it is built. Equal computations of one
// block are one value, so that equal sizes are equal values where the
// arithmetic tells it.

#ifndef HETERO_LIB_IMPORT_ONNX_TENSORBUILDER_H
#define HETERO_LIB_IMPORT_ONNX_TENSORBUILDER_H

#include "Values.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <unordered_map>

namespace mlir::hetero::onnx {

/// The pure operations that were made, by their hash.
using MadeOperations = std::unordered_multimap<size_t, Operation *>;

class Indices {
public:
  Indices(OpBuilder &b, Location loc, MadeOperations &made)
      : b(b), loc(loc), made(made) {}

  OpFoldResult constant(int64_t number) { return b.getIndexAttr(number); }
  OpFoldResult add(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult sub(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult mul(OpFoldResult lhs, OpFoldResult rhs);
  /// Rounds towards minus infinity; the divisor is positive.
  OpFoldResult floorDiv(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult ceilDiv(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult min(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult max(OpFoldResult lhs, OpFoldResult rhs);
  /// `condition` is a constant or a value of type i1.
  OpFoldResult select(OpFoldResult condition, OpFoldResult yes,
                      OpFoldResult no);
  /// A signed comparison: a constant or a value of type i1.
  OpFoldResult less(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult equal(OpFoldResult lhs, OpFoldResult rhs);
  OpFoldResult product(ArrayRef<OpFoldResult> sizes);

  /// A value of type index, or of i1 for the result of a comparison.
  Value value(OpFoldResult index);
  SmallVector<Value> values(ArrayRef<OpFoldResult> indices);
  /// The index that an element, an integer scalar, is. Sums and products of 64
  /// bits become those of indices.
  OpFoldResult fromElement(OpFoldResult element, bool isUnsigned = false);
  /// The element of an integer type that an index is.
  OpFoldResult toElement(OpFoldResult index, ElementType type);
  /// The equal operation of the block that was made before, else this one.
  Value unique(Value value);
  /// An equal operation of the block other than this one, else this one.
  Value findEqual(Value value) const;

private:
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands);
  template <typename OpTy, typename... Args> OpFoldResult fold(Args... args) {
    return getAsOpFoldResult(unique(b.createOrFold<OpTy>(loc, args...)));
  }

  OpBuilder &b;
  Location loc;
  MadeOperations &made;
};

/// State that the nodes of one function share.
struct FunctionState {
  /// The place of the next constant, at the start of the function.
  Block *entry = nullptr;
  Operation *lastConstant = nullptr;
  DenseMap<std::pair<Attribute, StringRef>, Value> constants;
  MadeOperations made;
};

/// A scalar constant in the IR; a complex one has no imaginary part.
Value makeScalar(OpBuilder &b, Location loc, Type type, double number);

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
  /// A scalar constant; a complex one has no imaginary part.
  Tensor constant(ElementType type, double number);
  Tensor constantInt(ElementType type, int64_t number);
  /// The elements if they are known without code, else nullopt.
  std::optional<SmallVector<OpFoldResult>> known(const Tensor &tensor);

  Type storage(ElementType type) {
    return getStorageType(b.getContext(), type);
  }
  /// tensor.empty of these sizes.
  Value empty(ElementType type, ArrayRef<OpFoldResult> sizes);
  /// The same as a tensor, such as the result of a function that has failed.
  Tensor makeEmpty(ElementType type, ArrayRef<OpFoldResult> sizes) {
    return make(type, sizes, empty(type, sizes));
  }
  /// Elements of two or four bits from a vector of bytes, the low bits first.
  Value unpack(Value bytes, ElementType type, ArrayRef<OpFoldResult> sizes);
  /// A tensor filled with a scalar.
  Value fill(ElementType type, ArrayRef<OpFoldResult> sizes, Value scalar);
  Tensor makeFilled(ElementType type, ArrayRef<OpFoldResult> sizes,
                    Value scalar) {
    return make(type, sizes, fill(type, sizes, scalar));
  }
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
