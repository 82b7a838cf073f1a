//===- SizeAssertions.h - Comparisons of sizes at run time ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_TRANSFORMS_CHECKS_SIZEASSERTIONS_H
#define HETERO_LIB_TRANSFORMS_CHECKS_SIZEASSERTIONS_H

#include "SizeTrace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <set>

namespace mlir::hetero {

/// Inserts assertions about sizes before a region or an operation. Where a size
/// is not known there, or the compiler knows that it fits, there is none.
class SizeAssertions {
public:
  explicit SizeAssertions(Operation *anchor)
      : builder(anchor), loc(anchor->getLoc()), tracer(builder, anchor) {}

  int64_t getNumChecks() const { return count; }

  /// Assertions that follow are about this operation.
  void setOperation(Operation *op) { loc = op->getLoc(); }

  std::optional<Size> trace(Value shaped, int64_t dim) {
    return tracer.trace({shaped, dim});
  }
  std::optional<Size> trace(OpFoldResult number) {
    return tracer.trace(Size::get(number));
  }
  /// None if a factor is not known.
  std::optional<Size> multiply(std::optional<Size> a, std::optional<Size> b) {
    return a && b ? std::optional<Size>(tracer.multiply(*a, *b)) : std::nullopt;
  }
  /// The product of all sizes.
  std::optional<Size> countElements(Value shaped);

  Value materialize(Size size) { return tracer.materialize(size, loc); }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(builder, loc, predicate, left, right);
  }

  void assertThat(Value holds, const Twine &message);
  void assertEqual(std::optional<Size> a, std::optional<Size> b,
                   const Twine &message);
  /// Two operands are as large as each other, except along one dimension.
  void assertSameSizes(Operation *op, unsigned a, unsigned b,
                       int64_t except = -1);
  void assertNotNegative(Operation *op, std::optional<Size> number,
                         StringRef what, int64_t dim);
  void assertNotNegative(Operation *op, ArrayRef<OpFoldResult> numbers,
                         StringRef what);
  /// One element at these places.
  void assertInside(Operation *op, Value shaped, ValueRange indices);
  /// A part that offsets, sizes and strides cut out.
  void assertInside(OffsetSizeAndStrideOpInterface op, Value shaped);
  /// The sizes of the result's type are those of the source.
  void assertFits(Operation *op, Value source, ShapedType type);
  /// The sizes of each group of new dimensions make up an old one.
  void assertMadeUp(Operation *op, Value source, ArrayRef<OpFoldResult> shape,
                    ArrayRef<ReassociationIndices> groups);
  /// A number that a reshape is given for a dimension of its result.
  void assertSize(Operation *op, std::optional<Size> size, ShapedType type,
                  int64_t dim);
  void assertKeepsElements(Operation *op, std::optional<Size> elements,
                           std::optional<Size> asked);
  /// A dimension that an operation asks for is there.
  void assertHasDim(Operation *op, Value shaped, Value dim);

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return loc; }
  SizeTracer &getTracer() { return tracer; }

private:
  void assertInside(Operation *op, Value shaped, int64_t dim, Value holds);
  /// False if the same sizes were compared before.
  bool isNew(Size a, Size b) {
    return checks
        .insert({{a.value.getAsOpaquePointer(), a.index},
                 {b.value.getAsOpaquePointer(), b.index}})
        .second;
  }

  using Key = std::pair<const void *, int64_t>;
  OpBuilder builder;
  Location loc;
  SizeTracer tracer;
  std::set<std::pair<Key, Key>> checks;
  int64_t count = 0;
};

/// What differs in an operation that takes tensors or memory of the same sizes.
std::string describeDifference(Operation *op, int64_t dim, unsigned operand);

} // namespace mlir::hetero

#endif // HETERO_LIB_TRANSFORMS_CHECKS_SIZEASSERTIONS_H
