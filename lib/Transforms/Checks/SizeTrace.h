//===- SizeTrace.h - Where the sizes of tensors come from -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_CHECKS_SIZETRACE_H
#define HETERO_TRANSFORMS_CHECKS_SIZETRACE_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <optional>

namespace mlir::tensor {
class PadOp;
} // namespace mlir::tensor

namespace mlir::hetero {

/// Dimension `index` of the tensor `value`; the scalar `value`, when `index` is
/// -1; or the constant `index`, without a value.
struct Size {
  Value value;
  int64_t index;

  static Size get(OpFoldResult number);
  bool isConstant() const { return !value; }
  bool operator==(const Size &other) const {
    return value == other.value && index == other.index;
  }
};

/// Follows sizes to what determines them, and to what of that is known before
/// an operation, without looking at any element of a tensor. Sums and products
/// that nothing there computes are computed at the builder's insertion point,
/// each once, so that sizes that are equal by construction are the same value.
class SizeTracer {
public:
  SizeTracer(OpBuilder &builder, Operation *anchor)
      : builder(builder), anchor(anchor) {}
  /// Erases the computations that nobody uses.
  ~SizeTracer();

  /// None if the size is not known before the operation.
  std::optional<Size> trace(Size size, unsigned depth = 0);

  /// The size of what a pad makes, as its operands give it.
  std::optional<Size> tracePadded(tensor::PadOp op, int64_t dim,
                                  unsigned depth = 0);

  Size multiply(Size a, Size b) { return combine(Product, a, b); }

  /// The tensor itself, as what stands before the operation calls it; null
  /// where that has it not.
  Value findVisible(Value tensor) const;

  /// The size as a value.
  Value materialize(Size size, Location loc);

  /// True for sizes of tensors, and for what is computed of them.
  bool isNonNegative(Size size) const;

private:
  enum Kind { Sum, Product };

  bool isVisible(Value value) const;
  std::optional<Size> stepTensor(Size size, unsigned depth);
  std::optional<Size> stepScalar(Value value, unsigned depth);
  std::optional<Size> combine(Kind kind, ArrayRef<Size> parts, unsigned depth,
                              Value known = Value());
  Size combine(Kind kind, Size a, Size b, Value known = Value());
  std::optional<Size> repeat(Operation *op, unsigned depth);

  using Key = std::pair<const void *, int64_t>;
  OpBuilder &builder;
  Operation *anchor;
  std::map<std::tuple<int, Key, Key>, Value> combined;
  llvm::DenseMap<Operation *, Value> repeated;
  llvm::DenseSet<Value> nonNegative;
  SmallVector<Operation *> created;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_CHECKS_SIZETRACE_H
