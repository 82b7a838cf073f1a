//===- TensorSizes.cpp - Sizes that costs go by ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

static int64_t saturate(uint64_t value) {
  return static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX));
}

int64_t mlir::hetero::multiplySizes(int64_t a, int64_t b) {
  return saturate(llvm::SaturatingMultiply<uint64_t>(a, b));
}

int64_t mlir::hetero::addSizes(int64_t a, int64_t b) {
  return saturate(llvm::SaturatingAdd<uint64_t>(a, b));
}

int64_t mlir::hetero::getElementBytes(Type element) {
  int64_t bits = 64; // index, and what has no width of its own
  if (auto complex = dyn_cast<ComplexType>(element))
    bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
  else if (element.isIntOrFloat())
    bits = element.getIntOrFloatBitWidth();
  return llvm::divideCeil(bits, 8);
}

int64_t mlir::hetero::getStaticBytes(ShapedType type) {
  int64_t bytes = getElementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      bytes = multiplySizes(bytes, size);
  return bytes;
}

int64_t mlir::hetero::getTensorBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  int64_t bytes = getElementBytes(tensor.getElementType());
  for (int64_t size : tensor.getShape())
    bytes = multiplySizes(
        bytes, ShapedType::isDynamic(size) ? kDefaultDynamicSize : size);
  return bytes;
}

TensorSizes::TensorSizes(Operation *module) {
  auto size = module->getAttrOfType<IntegerAttr>(kDynamicSizeAttrName);
  if (size && size.getType().isSignlessInteger(64) && size.getInt() > 0)
    defaultSize = size.getInt();
}

int64_t TensorSizes::multiply(int64_t count, Value value,
                              ArrayRef<int64_t> shape) {
  for (auto [dim, size] : llvm::enumerate(shape))
    count = multiplySizes(
        count, ShapedType::isDynamic(size) ? getDynamicSize(value, dim) : size);
  return count;
}

int64_t TensorSizes::getNumElements(Value value) {
  auto type = cast<ShapedType>(value.getType());
  return type.hasRank() ? multiply(1, value, type.getShape()) : defaultSize;
}

int64_t TensorSizes::getBytes(Value value) {
  if (!isa<RankedTensorType, MemRefType>(value.getType()))
    return 0;
  auto type = cast<ShapedType>(value.getType());
  return multiply(getElementBytes(type.getElementType()), value,
                  type.getShape());
}

int64_t TensorSizes::getDynamicSize(Value value, int64_t dim) {
  auto [it, isNew] = known.try_emplace({value, dim}, defaultSize);
  if (!isNew)
    return it->second;
  int64_t size = computeDynamicSize(value, dim);
  known[{value, dim}] = size;
  return size;
}

static bool isFunctionArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// What the attribute of a function's argument says.
static std::optional<int64_t> getArgumentSize(BlockArgument argument,
                                              int64_t dim) {
  auto function = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  auto sizes = function.getArgAttrOfType<DenseI64ArrayAttr>(
      argument.getArgNumber(), kDynamicSizesAttrName);
  auto type = dyn_cast<ShapedType>(argument.getType());
  if (!sizes || !type || !type.hasRank() ||
      int64_t(type.getNumDynamicDims()) != sizes.size())
    return std::nullopt;
  return sizes[type.getDynamicDimIndex(dim)];
}

/// The size, if it is known without a look at other values.
std::optional<int64_t> TensorSizes::lookUp(Value value, int64_t dim) const {
  if (isFunctionArgument(value))
    return getArgumentSize(cast<BlockArgument>(value), dim)
        .value_or(defaultSize);
  auto it = known.find({value, dim});
  return it == known.end() ? std::nullopt : std::optional(it->second);
}

/// From the sizes that are known, through the operations that make the value.
/// Operations are asked in their order, so that those of its operands are
/// mostly known; where they are not, the search ends after a few.
int64_t TensorSizes::computeDynamicSize(Value value, int64_t dim) const {
  constexpr unsigned kMostVisited = 32;
  if (isFunctionArgument(value))
    return *lookUp(value, dim);
  unsigned visited = 0;
  auto isKnown = [&](Value other, std::optional<int64_t> otherDim,
                     ValueBoundsConstraintSet &constraints) {
    std::optional<int64_t> size;
    if (otherDim && !(other == value && otherDim == dim))
      size = lookUp(other, *otherDim);
    if (!size)
      return ++visited > kMostVisited;
    constraints.bound(other)[*otherDim] == *size;
    return true;
  };
  FailureOr<int64_t> size = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, ValueBoundsConstraintSet::Variable(value, dim),
      isKnown,
      /*closedUB=*/true);
  return succeeded(size) && *size > 0 ? *size : defaultSize;
}
