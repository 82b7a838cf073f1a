//===- Indices.h - Arithmetic of sizes --------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Arithmetic of sizes and indices, folded as it is built. Equal computations of
// one block are one value, so that equal sizes are equal values where the
// arithmetic tells it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_IMPORT_ONNX_INDICES_H
#define HETERO_LIB_IMPORT_ONNX_INDICES_H

#include "Values.h"
#include "mlir/IR/Builders.h"
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

  OpBuilder &b;
  Location loc;
  MadeOperations &made;
};

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_INDICES_H
