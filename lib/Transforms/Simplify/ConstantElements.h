//===- ConstantElements.h - What constants hold -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the elements of constants, be they in attributes or in resources, and
// makes new ones: weights are resources and stay some, never text.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SIMPLIFY_CONSTANTELEMENTS_H
#define HETERO_TRANSFORMS_SIMPLIFY_CONSTANTELEMENTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::hetero {

/// The elements of a constant tensor, of 1 to 8 bytes each.
class ConstantElements {
public:
  /// Those of a value that is a constant; none for other values.
  static std::optional<ConstantElements> get(Value value);

  arith::ConstantOp getOp() const { return op; }
  RankedTensorType getType() const { return type; }
  bool isSplat() const { return splat; }
  int64_t getElementBytes() const {
    return getType().getElementTypeBitWidth() / 8;
  }
  /// The bytes of one element, by its number in row-major order.
  ArrayRef<char> getBytes(int64_t index) const {
    int64_t size = getElementBytes();
    return bytes.slice(splat ? 0 : index * size, size);
  }
  /// The same of a tensor of f32, f16 or bf16 as a number.
  float getFloat(int64_t index) const;
  /// All of these, of f32.
  std::vector<float> getFloats() const;
  /// The same of one as an attribute.
  TypedAttr getAttribute(int64_t index) const;

private:
  ConstantElements(arith::ConstantOp op, ArrayRef<char> bytes, bool splat)
      : op(op), type(cast<RankedTensorType>(op.getType())), bytes(bytes),
        splat(splat) {}

  arith::ConstantOp op;
  RankedTensorType type;
  ArrayRef<char> bytes;
  bool splat;
};

/// Appends the bytes of a number.
void appendBytes(std::vector<char> &bytes, TypedAttr number);

/// Makes a constant: an attribute if it is small, else a resource.
arith::ConstantOp createConstant(OpBuilder &builder, Location loc,
                                 RankedTensorType type, ArrayRef<char> bytes);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SIMPLIFY_CONSTANTELEMENTS_H
