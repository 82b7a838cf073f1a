//===- TensorSizes.h - Sizes that costs go by -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What costs take dynamic dimensions to be: what a function's argument says,
// what upstream's value bounds and folding compute from other sizes, else a
// default. Static sizes are looked up nowhere.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_TENSORSIZES_H
#define HETERO_DIALECT_HETERO_IR_TENSORSIZES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace mlir::hetero {

/// Size that stands for a dynamic dimension where nothing says another.
inline constexpr int64_t kDefaultDynamicSize = 128;

/// The same by its place in a shape: outer dimensions count as 1, lest a tensor
/// of several dynamic ones be taken for a huge one.
int64_t getDefaultDynamicSize(int64_t dim, int64_t rank);

/// Sizes that saturate instead of wrapping around.
int64_t multiplySizes(int64_t a, int64_t b);
int64_t addSizes(int64_t a, int64_t b);

/// Bytes of one element of a tensor. Less than a byte takes a whole one, as in
/// memory.
int64_t getElementBytes(Type element);

/// Bytes of one element times the sizes that are known, saturating.
int64_t getStaticBytes(ShapedType type);

/// Bytes of a ranked tensor, saturating; 0 for other types. `TensorSizes` knows
/// more of dynamic sizes.
int64_t getTensorBytes(Type type);

/// Sizes of the values of one module, which must not change while they are
/// asked for.
class TensorSizes {
public:
  /// With the module's size for dynamic dimensions.
  explicit TensorSizes(Operation *module);

  /// The size of a dimension, positive for a dynamic one.
  int64_t getDimSize(Value value, int64_t dim) {
    int64_t size = cast<ShapedType>(value.getType()).getDimSize(dim);
    return ShapedType::isDynamic(size) ? getDynamicSize(value, dim) : size;
  }
  /// Elements of a shaped value, saturating. Without a rank it counts as one
  /// dynamic dimension.
  int64_t getNumElements(Value value);
  /// Bytes of a ranked tensor or buffer, saturating; else 0.
  int64_t getBytes(Value value);
  /// The size of a dynamic dimension of which nothing is known.
  int64_t getDefault(int64_t dim, int64_t rank) const;

private:
  int64_t multiply(int64_t count, Value value, ArrayRef<int64_t> shape);
  int64_t getDynamicSize(Value value, int64_t dim);
  std::optional<int64_t> lookUp(Value value, int64_t dim) const;
  int64_t computeDynamicSize(Value value, int64_t dim) const;
  void foldScalar(Value value);

  /// `hetero.dynamic_size` of the module.
  std::optional<int64_t> defaultSize;
  /// The dynamic dimensions that were asked for.
  llvm::DenseMap<std::pair<Value, int64_t>, int64_t> known;
  /// Scalars that sizes are computed from, where they are known.
  llvm::DenseMap<Value, Attribute> scalars;
};

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_TENSORSIZES_H
