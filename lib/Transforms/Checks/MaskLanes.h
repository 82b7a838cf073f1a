//===- MaskLanes.h - Which lanes of a vector are on -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_TRANSFORMS_CHECKS_MASKLANES_H
#define HETERO_LIB_TRANSFORMS_CHECKS_MASKLANES_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::hetero {

/// What is known of a mask before the program runs, and code for the rest. A
/// mask whose bounds are operands (vector.create_mask) needs no code of
/// vectors.
class MaskLanes {
public:
  MaskLanes(OpBuilder &builder, Location loc, Value mask)
      : builder(builder), loc(loc), mask(mask) {}

  /// How many lanes along a dimension reach the last that is on.
  OpFoldResult countToLast(int64_t dim);

  /// How many lanes are on.
  Value countOn();

  /// Whether no lane is on; null if one always is.
  Value isIdle();

private:
  VectorType getType() const { return cast<VectorType>(mask.getType()); }
  /// The numbers of leading lanes that are on, where the mask is made of them.
  SmallVector<OpFoldResult> getBounds() const;
  Value compare(arith::CmpIPredicate predicate, Value value, int64_t number);
  /// Combines the numbers of lanes that are on.
  Value reduce(DenseElementsAttr numbers, vector::CombiningKind kind);

  OpBuilder &builder;
  Location loc;
  Value mask;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_TRANSFORMS_CHECKS_MASKLANES_H
