//===- SizeAssertions.cpp - Comparisons of sizes at run time --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeAssertions.h"

#include "hetero/Transforms/Checks/SizeChecks.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::hetero;

std::string mlir::hetero::describeDifference(Operation *op, int64_t dim,
                                             unsigned operand) {
  StringRef kind = isa<BaseMemRefType>(op->getOperand(operand).getType())
                       ? "memory"
                       : "tensors";
  return ("expected equal sizes in " + describe(op) + ", but dimension " +
          Twine(dim) + " of operand " + Twine(operand) + " differs; pass " +
          kind + " whose sizes match")
      .str();
}

void SizeAssertions::assertThat(Value holds, const Twine &message) {
  ++count;
  cf::AssertOp::create(builder, loc, holds, message.str());
}

/// Nothing is compared where a size is not known or is the other one.
void SizeAssertions::assertEqual(std::optional<Size> a, std::optional<Size> b,
                                 const Twine &message) {
  if (!a || !b || *a == *b || !isNew(*a, *b))
    return;
  Value left = materialize(*a), right = materialize(*b);
  assertThat(compare(arith::CmpIPredicate::eq, left, right), message);
}

void SizeAssertions::assertSameSizes(Operation *op, unsigned a, unsigned b,
                                     int64_t except) {
  Value left = op->getOperand(a), right = op->getOperand(b);
  int64_t rank = cast<ShapedType>(left.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != except)
      assertEqual(trace(left, dim), trace(right, dim),
                  describeDifference(op, dim, b));
}

void SizeAssertions::assertNotNegative(Operation *op,
                                       std::optional<Size> number,
                                       StringRef what, int64_t dim) {
  if (!number || tracer.isNonNegative(*number) || !isNew(*number, *number))
    return;
  Value zero = materialize({Value(), 0});
  assertThat(compare(arith::CmpIPredicate::sge, materialize(*number), zero),
             "expected " + what + " " + Twine(dim) + " of " + describe(op) +
                 " to be 0 or more; pass another one");
}

void SizeAssertions::assertNotNegative(Operation *op,
                                       ArrayRef<OpFoldResult> numbers,
                                       StringRef what) {
  for (auto [dim, number] : llvm::enumerate(numbers))
    assertNotNegative(op, trace(number), what, dim);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

void SizeAssertions::assertInside(Operation *op, Value shaped, int64_t dim,
                                  Value holds) {
  StringRef kind = isa<BaseMemRefType>(shaped.getType()) ? "memory" : "tensor";
  assertThat(holds, "expected " + describe(op) + " to stay inside dimension " +
                        Twine(dim) + " of its " + kind +
                        "; pass offsets and sizes that fit");
}

void SizeAssertions::assertInside(Operation *op, Value shaped,
                                  ValueRange indices) {
  for (auto [dim, index] : llvm::enumerate(indices)) {
    std::optional<Size> whole = trace(shaped, dim);
    std::optional<Size> place = trace(OpFoldResult(index));
    if (!whole || !place ||
        (whole->isConstant() && place->isConstant() && place->index >= 0 &&
         place->index < whole->index))
      continue;
    Value number = materialize(*place), end = materialize(*whole);
    assertInside(op, shaped, dim,
                 compare(arith::CmpIPredicate::ult, number, end));
  }
}

/// True for a slice of everything.
static bool isWhole(Size whole, Size offset, Size size, Size stride) {
  return offset == Size{Value(), 0} && stride == Size{Value(), 1} &&
         size == whole;
}

/// 0 <= offset <= dim, 0 <= size <= dim, and the last element inside. The first
/// two are unsigned comparisons and keep the third from overflowing.
void SizeAssertions::assertInside(OffsetSizeAndStrideOpInterface op,
                                  Value shaped) {
  auto type = cast<ShapedType>(shaped.getType());
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                            sizes = op.getMixedSizes(),
                            strides = op.getMixedStrides();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    // The verifier has seen what is constant.
    if (!type.isDynamicDim(dim) && getConstantIntValue(offsets[dim]) &&
        getConstantIntValue(sizes[dim]) && getConstantIntValue(strides[dim]))
      continue;
    std::optional<Size> whole = trace(shaped, dim), from = trace(offsets[dim]),
                        part = trace(sizes[dim]), step = trace(strides[dim]);
    if (!whole || !from || !part || !step ||
        isWhole(*whole, *from, *part, *step))
      continue;
    Value end = materialize(*whole), offset = materialize(*from),
          size = materialize(*part), stride = materialize(*step);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value steps = arith::SubIOp::create(builder, loc, size, one);
    Value length = arith::MulIOp::create(builder, loc, steps, stride);
    Value last = arith::AddIOp::create(builder, loc, offset, length);
    Value needed = arith::AddIOp::create(builder, loc, last, one);
    Value holds = arith::AndIOp::create(
        builder, loc, compare(arith::CmpIPredicate::ule, offset, end),
        compare(arith::CmpIPredicate::ule, size, end));
    holds = arith::AndIOp::create(
        builder, loc, holds, compare(arith::CmpIPredicate::sle, needed, end));
    assertInside(op, shaped, dim, holds);
  }
}

void SizeAssertions::assertHasDim(Operation *op, Value shaped, Value index) {
  auto type = dyn_cast<ShapedType>(shaped.getType());
  std::optional<Size> dim = trace(OpFoldResult(index));
  if (!type || !type.hasRank() || !dim ||
      (dim->isConstant() && dim->index >= 0 && dim->index < type.getRank()))
    return;
  Value rank = materialize({Value(), type.getRank()});
  assertThat(compare(arith::CmpIPredicate::ult, materialize(*dim), rank),
             "expected the dimension in " + describe(op) + " to be below " +
                 Twine(type.getRank()) + "; pass one that " +
                 (isa<BaseMemRefType>(type) ? "the memory" : "the tensor") +
                 " has");
}

//===----------------------------------------------------------------------===//
// Other shapes of the same elements
//===----------------------------------------------------------------------===//

std::optional<Size> SizeAssertions::countElements(Value shaped) {
  std::optional<Size> elements = Size{Value(), 1};
  int64_t rank = cast<ShapedType>(shaped.getType()).getRank();
  for (int64_t dim = 0; dim < rank && elements; ++dim)
    elements = multiply(elements, trace(shaped, dim));
  return elements;
}

void SizeAssertions::assertFits(Operation *op, Value source, ShapedType type) {
  auto from = dyn_cast<ShapedType>(source.getType());
  if (!from || !from.hasRank() || !type || !type.hasRank())
    return;
  StringRef kind = isa<BaseMemRefType>(type) ? "memory" : "a tensor";
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!type.isDynamicDim(dim))
      assertEqual(trace(source, dim), Size{Value(), type.getDimSize(dim)},
                  "expected dimension " + Twine(dim) + " in " + describe(op) +
                      " to be " + Twine(type.getDimSize(dim)) + "; pass " +
                      kind + " whose size fits its type");
}

void SizeAssertions::assertMadeUp(Operation *op, Value source,
                                  ArrayRef<OpFoldResult> shape,
                                  ArrayRef<ReassociationIndices> groups) {
  assertNotNegative(op, shape, "size");
  for (auto [dim, group] : llvm::enumerate(groups)) {
    std::optional<Size> product = Size{Value(), 1};
    for (int64_t part : group)
      product = multiply(product, trace(shape[part]));
    assertEqual(trace(source, dim), product,
                "expected the sizes of " + describe(op) +
                    " to make up dimension " + Twine(dim) +
                    " of its operand; pass sizes whose product fits");
  }
}

void SizeAssertions::assertSize(Operation *op, std::optional<Size> size,
                                ShapedType type, int64_t dim) {
  if (type.isDynamicDim(dim))
    return assertNotNegative(op, size, "size", dim);
  assertEqual(size, Size{Value(), type.getDimSize(dim)},
              "expected size " + Twine(dim) + " of " + describe(op) +
                  " to be " + Twine(type.getDimSize(dim)) +
                  "; pass a shape that fits the type");
}

void SizeAssertions::assertKeepsElements(Operation *op,
                                         std::optional<Size> elements,
                                         std::optional<Size> asked) {
  assertEqual(elements, asked,
              "expected " + describe(op) +
                  " to keep the number of elements; pass a shape whose "
                  "product fits");
}
