//===- Dequantized.h - Numbers that are scaled integers ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds what a tensor of floats was before it was dequantized:
//
//   %x = scale * (extend(%q) - zero)
//
// with one scale and one zero point, or one for each channel, also where views,
// transposes and pads are between %x and %q.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SIMPLIFY_DEQUANTIZED_H
#define HETERO_TRANSFORMS_SIMPLIFY_DEQUANTIZED_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// Scales: one, or one for each channel.
struct Scale {
  /// A scalar, or a tensor; null for 1.
  Value value;
  /// From what is scaled to the dimensions of the tensor; of a scalar, without
  /// results.
  AffineMap map;
};

/// What is taken off integers, the same for all.
struct ZeroPoint {
  /// A scalar of i32, or null for `number`.
  Value value;
  int64_t number = 0;

  bool isZero() const { return !value && number == 0; }
  bool isConstant() const { return !value; }
  /// The zero point as a number of `type`.
  Value create(OpBuilder &builder, Location loc, Type type) const;
};

/// A tensor of f32 as a function of a tensor of i8.
struct Dequantized {
  Value data;
  bool isSigned = true;
  Scale scale;
  ZeroPoint zero;
  /// What is done with the floats, from the first on.
  SmallVector<Operation *> moves;

  /// The tensor that the same moves make of the integers.
  Value moveData(OpBuilder &builder) const;
};

/// What `value` was before it was dequantized and moved; none if it was not, or
/// an operation on `device` may not do what one in between does. The map of the
/// scale is from the dimensions of `value`.
std::optional<Dequantized> findDequantized(Value value, DeviceAttr device);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SIMPLIFY_DEQUANTIZED_H
