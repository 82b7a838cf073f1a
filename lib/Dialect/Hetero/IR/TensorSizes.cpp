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
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
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
  for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
    bytes =
        multiplySizes(bytes, ShapedType::isDynamic(size)
                                 ? getDefaultDynamicSize(dim, tensor.getRank())
                                 : size);
  return bytes;
}

int64_t mlir::hetero::getDefaultDynamicSize(int64_t dim, int64_t rank) {
  constexpr int64_t kInnerDims = 2;
  return dim + kInnerDims < rank ? 1 : kDefaultDynamicSize;
}

int64_t TensorSizes::getDefault(int64_t dim, int64_t rank) const {
  return defaultSize.value_or(getDefaultDynamicSize(dim, rank));
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
  return type.hasRank() ? multiply(1, value, type.getShape())
                        : getDefault(/*dim=*/0, /*rank=*/1);
}

int64_t TensorSizes::getBytes(Value value) {
  if (!isa<RankedTensorType, MemRefType>(value.getType()))
    return 0;
  auto type = cast<ShapedType>(value.getType());
  return multiply(getElementBytes(type.getElementType()), value,
                  type.getShape());
}

static bool isFunctionArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// What a value is made of: the operands of its operation, or of the one whose
/// region it is an argument of.
static OperandRange getSources(Value value) {
  Operation *op = value.getDefiningOp();
  return (op ? op : value.getParentBlock()->getParentOp())->getOperands();
}

/// The sizes of what the value is made of come first, without recursion: chains
/// of operations may be long.
int64_t TensorSizes::getDynamicSize(Value value, int64_t dim) {
  if (auto it = known.find({value, dim}); it != known.end())
    return it->second;
  constexpr int64_t kVisited = -1;
  SmallVector<std::pair<Value, bool>> stack{{value, false}};
  while (!stack.empty()) {
    auto [next, isReady] = stack.pop_back_val();
    auto type = dyn_cast<ShapedType>(next.getType());
    if (type && (!type.hasRank() || type.hasStaticShape()))
      continue;
    if (!isReady) {
      if (!known.try_emplace({next, kVisited}, 0).second)
        continue;
      stack.push_back({next, true});
      if (!isFunctionArgument(next))
        for (Value source : getSources(next))
          stack.push_back({source, false});
    } else if (type) {
      for (int64_t i = 0; i < type.getRank(); ++i)
        if (type.isDynamicDim(i))
          known[{next, i}] = computeDynamicSize(next, i);
    } else {
      foldScalar(next);
    }
  }
  return known.at({value, dim});
}

/// Computes a scalar whose operands are known, as the sizes of `tensor.empty`.
void TensorSizes::foldScalar(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return;
  auto get = [&](OpFoldResult number) {
    auto computed = dyn_cast<Value>(number);
    return computed ? scalars.lookup(computed) : cast<Attribute>(number);
  };
  if (auto dimOp = dyn_cast<ShapedDimOpInterface>(op)) {
    auto dim = dyn_cast_or_null<IntegerAttr>(get(dimOp.getDimension()));
    auto type = dyn_cast<ShapedType>(dimOp.getShapedValue().getType());
    if (!dim || !type || !type.hasRank() || dim.getInt() < 0 ||
        dim.getInt() >= type.getRank())
      return;
    std::optional<int64_t> size = type.getDimSize(dim.getInt());
    if (ShapedType::isDynamic(*size))
      size = lookUp(dimOp.getShapedValue(), dim.getInt());
    if (size)
      scalars[value] = Builder(op->getContext()).getIndexAttr(*size);
    return;
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(scalars.lookup(operand));
    if (!operands.back())
      return;
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.empty())
    return;
  scalars[value] = get(results[cast<OpResult>(value).getResultNumber()]);
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
        .value_or(getDefault(dim, cast<ShapedType>(value.getType()).getRank()));
  auto it = known.find({value, dim});
  return it == known.end() ? std::nullopt : std::optional(it->second);
}

/// The type of a value with the sizes that are known in the place of dynamic
/// ones; null where some are not.
static RankedTensorType
getStaticType(Value value,
              llvm::function_ref<std::optional<int64_t>(Value, int64_t)> get) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return {};
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, size] : llvm::enumerate(shape)) {
    std::optional<int64_t> found =
        ShapedType::isDynamic(size) ? get(value, dim) : size;
    if (!found)
      return {};
    size = *found;
  }
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

/// The size of a result that shape inference finds for such operands.
static std::optional<int64_t> inferSize(OpResult result, int64_t dim,
                                        ValueRange operands) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto shaped = dyn_cast<InferShapedTypeOpInterface>(op)) {
    SmallVector<ShapedTypeComponents> shapes;
    if (succeeded(shaped.inferReturnTypeComponents(
            op->getContext(), std::nullopt, operands, op->getAttrDictionary(),
            op->getPropertiesStorage(), op->getRegions(), shapes)) &&
        shapes[number].hasRank() &&
        dim < int64_t(shapes[number].getDims().size()))
      return shapes[number].getDims()[dim];
    return std::nullopt;
  }
  SmallVector<Type> types;
  auto inferred = dyn_cast<InferTypeOpInterface>(op);
  if (!inferred ||
      failed(inferred.inferReturnTypes(
          op->getContext(), std::nullopt, operands, op->getAttrDictionary(),
          op->getPropertiesStorage(), op->getRegions(), types)))
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(types[number]);
  if (!type || dim >= type.getRank())
    return std::nullopt;
  return type.getDimSize(dim);
}

/// What the operation itself says of its result where the sizes of its operands
/// are known; what is elementwise has the shape of any of them.
static std::optional<int64_t>
inferSize(OpResult result, int64_t dim,
          llvm::function_ref<std::optional<int64_t>(Value, int64_t)> get) {
  Operation *op = result.getOwner();
  bool isElementwise = OpTrait::hasElementwiseMappableTraits(op);
  if (!isElementwise &&
      !isa<InferTypeOpInterface, InferShapedTypeOpInterface>(op))
    return std::nullopt;
  Block holder;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    RankedTensorType type = getStaticType(operand, get);
    if (isElementwise && type)
      return type.getDimSize(dim);
    operands.push_back(type ? Value(holder.addArgument(type, op->getLoc()))
                            : operand);
  }
  std::optional<int64_t> size = inferSize(result, dim, operands);
  return size && !ShapedType::isDynamic(*size) ? size : std::nullopt;
}

/// From the sizes that are known, through the operations that make the value.
/// Operations are asked in their order, so that those of its operands are
/// mostly known; where they are not, the search ends after a few.
int64_t TensorSizes::computeDynamicSize(Value value, int64_t dim) const {
  constexpr unsigned kMostVisited = 32;
  if (isFunctionArgument(value))
    return *lookUp(value, dim);
  auto get = [&](Value other, int64_t otherDim) {
    return lookUp(other, otherDim);
  };
  if (auto result = dyn_cast<OpResult>(value))
    if (std::optional<int64_t> size = inferSize(result, dim, get))
      return std::max<int64_t>(*size, 1);
  unsigned visited = 0;
  auto isKnown = [&](Value other, std::optional<int64_t> otherDim,
                     ValueBoundsConstraintSet &constraints) {
    if (!otherDim) {
      auto number = dyn_cast_or_null<IntegerAttr>(scalars.lookup(other));
      if (!number)
        return ++visited > kMostVisited;
      constraints.bound(other) == number.getInt();
      return true;
    }
    std::optional<int64_t> size;
    if (!(other == value && otherDim == dim))
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
  if (succeeded(size) && *size > 0)
    return *size;
  return getDefault(dim, cast<ShapedType>(value.getType()).getRank());
}
