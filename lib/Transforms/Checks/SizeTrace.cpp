//===- SizeTrace.cpp - Where the sizes of tensors come from ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A size leads into regions and out of them again:
//
//   %r = hetero.execute "f" on gpu:0 (%a = %x : tensor<?xf32, gpu:0>,
//                                     %n = %m : index) ... {
//     %0 = tensor.extract_slice %a[0] [%n] [1]
//     hetero.yield %0
//   }
//
// The size of %r is %m. What is inside of a region on the way is not known
// after it.
//
//===----------------------------------------------------------------------===//

#include "SizeTrace.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hetero;

/// Sizes of longer computations are not followed.
static constexpr unsigned kMaxDepth = 8;

Size Size::get(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return {Value(), *constant};
  return {cast<Value>(number), -1};
}

SizeTracer::~SizeTracer() {
  for (Operation *op : llvm::reverse(created))
    if (op->use_empty())
      op->erase();
}

bool SizeTracer::isVisible(Value value) const {
  for (Region *region = anchor->getParentRegion(); region;
       region = region->getParentRegion()) {
    if (region == value.getParentRegion())
      return true;
    if (region->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return false;
  }
  return false;
}

std::optional<Size> SizeTracer::trace(Size size, unsigned depth) {
  std::optional<Size> visible;
  while (!size.isConstant()) {
    if (isVisible(size.value))
      visible = size;
    std::optional<Size> next = size.index < 0 ? stepScalar(size.value, depth)
                                              : stepTensor(size, depth);
    if (!next || *next == size)
      return visible;
    size = *next;
  }
  return size;
}

/// What a region calls `argument` outside; null for other arguments.
static Value getRegionInput(BlockArgument argument) {
  auto owner = dyn_cast_or_null<ExecuteOp>(argument.getOwner()->getParentOp());
  return owner ? owner.getInputs()[argument.getArgNumber()] : Value();
}

Value SizeTracer::findVisible(Value tensor) const {
  while (tensor && !isVisible(tensor)) {
    auto argument = dyn_cast<BlockArgument>(tensor);
    tensor = argument ? getRegionInput(argument) : Value();
  }
  return tensor;
}

Value SizeTracer::materialize(Size size, Location loc) {
  if (!size.isConstant() && size.index < 0)
    return size.value;
  Value value;
  if (size.isConstant())
    value = arith::ConstantIndexOp::create(builder, loc, size.index);
  else if (isa<BaseMemRefType>(size.value.getType()))
    value = memref::DimOp::create(builder, loc, size.value, size.index);
  else
    value = tensor::DimOp::create(builder, loc, size.value, size.index);
  created.push_back(value.getDefiningOp());
  return value;
}

bool SizeTracer::isNonNegative(Size size) const {
  return size.index >= 0 || (size.value && nonNegative.contains(size.value));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The tensor that has the same sizes; null if none is known.
static Value getSameSized(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return getRegionInput(argument);
  auto result = cast<OpResult>(tensor);
  if (auto execute = dyn_cast<ExecuteOp>(result.getOwner()))
    return execute.getYield().getValues()[result.getResultNumber()];
  if (auto copy = dyn_cast<CopyOp>(result.getOwner()))
    return copy.getSource();
  if (isa<tensor::CastOp, memref::CastOp, memref::MemorySpaceCastOp,
          bufferization::ToTensorOp, bufferization::ToBufferOp>(
          result.getOwner()))
    return result.getOwner()->getOperand(0);
  if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return op.getTiedOpOperand(result)->get();
  return {};
}

/// The dimension of a slice that is dimension `dim` of its type.
static OpFoldResult getSliceSize(OffsetSizeAndStrideOpInterface slice,
                                 const llvm::SmallBitVector &dropped,
                                 int64_t dim) {
  for (auto [index, size] : llvm::enumerate(slice.getMixedSizes()))
    if (!dropped.test(index) && dim-- == 0)
      return size;
  return {};
}

/// The number that an operation is given for a size of its result.
static OpFoldResult getGivenSize(Value shaped, int64_t dim) {
  auto type = cast<ShapedType>(shaped.getType());
  auto pick = [&](OperandRange sizes) -> OpFoldResult {
    return sizes[type.getDynamicDimIndex(dim)];
  };
  Operation *maker = shaped.getDefiningOp();
  if (!maker)
    return {};
  return llvm::TypeSwitch<Operation *, OpFoldResult>(maker)
      .Case<tensor::EmptyOp, memref::AllocOp, memref::AllocaOp>(
          [&](auto op) { return pick(op.getDynamicSizes()); })
      .Case([&](tensor::SplatOp op) { return pick(op.getDynamicSizes()); })
      .Case([&](tensor::GenerateOp op) { return pick(op.getDynamicExtents()); })
      .Case([&](memref::ViewOp op) { return pick(op.getSizes()); })
      .Case([&](bufferization::AllocTensorOp op) {
        return op.getCopy() ? OpFoldResult() : pick(op.getDynamicSizes());
      })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>(
          [&](auto op) { return op.getMixedOutputShape()[dim]; })
      .Case(
          [&](memref::ReinterpretCastOp op) { return op.getMixedSizes()[dim]; })
      .Case([&](tensor::ReshapeOp op) {
        auto shape = op.getShape().getDefiningOp<tensor::FromElementsOp>();
        return shape ? OpFoldResult(shape.getElements()[dim]) : OpFoldResult();
      })
      .Case<tensor::ExtractSliceOp, memref::SubViewOp>(
          [&](auto op) { return getSliceSize(op, op.getDroppedDims(), dim); })
      .Default(OpFoldResult());
}

std::optional<Size> SizeTracer::tracePadded(tensor::PadOp op, int64_t dim,
                                            unsigned depth) {
  return combine(Sum,
                 {Size::get(op.getMixedLowPad()[dim]),
                  {op.getSource(), dim},
                  Size::get(op.getMixedHighPad()[dim])},
                 depth);
}

std::optional<Size> SizeTracer::stepTensor(Size size, unsigned depth) {
  auto type = dyn_cast<ShapedType>(size.value.getType());
  if (!type || !type.hasRank())
    return std::nullopt;
  if (!type.isDynamicDim(size.index))
    return Size{Value(), type.getDimSize(size.index)};
  if (OpFoldResult given = getGivenSize(size.value, size.index))
    return Size::get(given);
  auto dimOf = [&](Value tensor) { return Size{tensor, size.index}; };
  Operation *op = size.value.getDefiningOp();
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(op))
    return tracePadded(pad, size.index, depth);
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op)) {
    if (static_cast<int64_t>(concat.getDim()) != size.index)
      return dimOf(concat.getInputs().front());
    return combine(Sum, llvm::map_to_vector(concat.getInputs(), dimOf), depth);
  }
  // A copy: a range-based loop would keep a part of it only.
  std::optional<SmallVector<ReassociationIndices>> groups;
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op))
    groups = collapse.getReassociationIndices();
  else if (auto collapse = dyn_cast_or_null<memref::CollapseShapeOp>(op))
    groups = collapse.getReassociationIndices();
  if (groups)
    return combine(Product,
                   llvm::map_to_vector((*groups)[size.index],
                                       [&](int64_t dim) {
                                         return Size{op->getOperand(0), dim};
                                       }),
                   depth);
  Value same = getSameSized(size.value);
  if (!same || !cast<ShapedType>(same.getType()).hasRank())
    return std::nullopt;
  return dimOf(same);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::optional<Size> SizeTracer::stepScalar(Value value, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Size{Value(), *constant};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Value input = getRegionInput(argument);
    return input ? std::optional(Size{input, -1}) : std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op)) {
    std::optional<int64_t> index = getConstantIntValue(dim.getDimension());
    auto type = cast<ShapedType>(dim.getShapedValue().getType());
    if (!index || !type.hasRank() || *index < 0 || *index >= type.getRank())
      return std::nullopt;
    return Size{dim.getShapedValue(), *index};
  }
  Value visible = isVisible(value) ? value : Value();
  if (isa<arith::AddIOp, arith::MulIOp>(op) && op->getNumResults() == 1 &&
      isa<IndexType>(value.getType()))
    return combine(isa<arith::AddIOp>(op) ? Sum : Product,
                   {Size{op->getOperand(0), -1}, Size{op->getOperand(1), -1}},
                   depth, visible);
  return visible ? std::nullopt : repeat(op, depth);
}

/// The sum or product of sizes; `known` is a value that holds it.
std::optional<Size> SizeTracer::combine(Kind kind, ArrayRef<Size> parts,
                                        unsigned depth, Value known) {
  if (depth == kMaxDepth)
    return std::nullopt;
  SmallVector<Size> traced;
  for (Size part : parts) {
    std::optional<Size> size = trace(part, depth + 1);
    if (!size)
      return std::nullopt;
    traced.push_back(*size);
  }
  Size result = traced.front();
  for (Size size : ArrayRef(traced).drop_front())
    result = combine(kind, result, size, traced.size() == 2 ? known : Value());
  return result;
}

Size SizeTracer::combine(Kind kind, Size a, Size b, Value known) {
  int64_t neutral = kind == Sum ? 0 : 1;
  if (a == Size{Value(), neutral})
    return b;
  if (b == Size{Value(), neutral})
    return a;
  if (a.isConstant() && b.isConstant())
    return {Value(), kind == Sum ? a.index + b.index : a.index * b.index};
  auto keyOf = [](Size size) {
    return Key(size.value.getAsOpaquePointer(), size.index);
  };
  // In one order, whichever comes first.
  std::pair<Key, Key> keys = std::minmax({keyOf(a), keyOf(b)});
  auto [it, isNew] =
      combined.try_emplace({kind, keys.first, keys.second}, known);
  if (!isNew)
    return {it->second, -1};
  if (!known) {
    Location loc = anchor->getLoc();
    Value left = materialize(a, loc), right = materialize(b, loc);
    Operation *op =
        kind == Sum
            ? arith::AddIOp::create(builder, loc, left, right).getOperation()
            : arith::MulIOp::create(builder, loc, left, right).getOperation();
    created.push_back(op);
    it->second = op->getResult(0);
  }
  if (isNonNegative(a) && isNonNegative(b))
    nonNegative.insert(it->second);
  return {it->second, -1};
}

/// Computes before the anchor what an operation inside of a region computes of
/// numbers.
std::optional<Size> SizeTracer::repeat(Operation *op, unsigned depth) {
  if (Value value = repeated.lookup(op))
    return Size{value, -1};
  if (depth == kMaxDepth || op->getNumRegions() != 0 ||
      op->getNumResults() != 1 || !isMemoryEffectFree(op) ||
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ShapedType>))
    return std::nullopt;
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (producer && producer->hasTrait<OpTrait::ConstantLike>()) {
      created.push_back(builder.clone(*producer, mapping));
      continue;
    }
    std::optional<Size> size = trace({operand, -1}, depth + 1);
    if (!size)
      return std::nullopt;
    mapping.map(operand, materialize(*size, op->getLoc()));
  }
  Operation *clone = builder.clone(*op, mapping);
  created.push_back(clone);
  repeated[op] = clone->getResult(0);
  return Size{clone->getResult(0), -1};
}
