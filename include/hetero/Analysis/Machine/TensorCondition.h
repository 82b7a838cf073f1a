//===- TensorCondition.h - What a rule asks of a tensor ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions of rules on operands and results of an operation.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_TENSORCONDITION_H
#define HETERO_ANALYSIS_MACHINE_TENSORCONDITION_H

#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ValueRange.h"
#include <limits>

namespace mlir::hetero {

/// Which shapes are meant: `1x3x?x?`, `*x256` (any first dimension), `...x8x8`
/// (any number of dimensions before).
class ShapePattern {
public:
  /// None if the text is no such pattern.
  static std::optional<ShapePattern> create(StringRef text);

  bool matches(ArrayRef<int64_t> shape) const;

private:
  static constexpr int64_t kAny = -1;

  /// Sizes, ShapedType::kDynamic, or kAny.
  SmallVector<int64_t> dims;
  bool hasMoreBefore = false, hasMoreAfter = false;
};

/// Every condition that is present must hold for one and the same tensor.
struct TensorCondition {
  /// The operand or result of this number, from 0; else any of them.
  std::optional<int64_t> index;
  Type dtype;
  std::optional<ShapePattern> shape;
  std::optional<int64_t> rank;
  /// Dynamic dimensions count as they do in costs.
  double minElements = 0;
  double maxElements = std::numeric_limits<double>::infinity();

  bool isMet(ValueRange values, TensorSizes &sizes) const;

private:
  bool isMetBy(Value value, TensorSizes &sizes) const;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_TENSORCONDITION_H
