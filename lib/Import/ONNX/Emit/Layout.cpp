//===- Layout.cpp - Operations that move elements -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"

#include "Factors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

namespace {
/// Dimensions of the tensor and of the result that hold the same elements.
struct DimGroup {
  ReassociationIndices source, target;
};
} // namespace

/// Divides both into the smallest groups that are known to have equal products.
static SmallVector<DimGroup> groupDims(ArrayRef<OpFoldResult> source,
                                       ArrayRef<OpFoldResult> target) {
  SmallVector<DimGroup> groups;
  size_t i = 0, j = 0;
  while (i < source.size() || j < target.size()) {
    // The shortest pair of runs with equal products; runs of the source first.
    size_t most = (source.size() - i) + (target.size() - j);
    bool isFound = false;
    for (size_t length = 1; length <= most && !isFound; ++length)
      for (size_t left = 0; left <= length && !isFound; ++left) {
        size_t right = length - left;
        if (i + left > source.size() || j + right > target.size() ||
            (left == 0 && right == 0))
          continue;
        if (!haveEqualProducts(source.slice(i, left), target.slice(j, right)))
          continue;
        isFound = true;
        DimGroup group;
        for (size_t k = 0; k < left; ++k)
          group.source.push_back(i + k);
        for (size_t k = 0; k < right; ++k)
          group.target.push_back(j + k);
        groups.push_back(group);
        i += left;
        j += right;
      }
    if (isFound)
      continue;
    DimGroup rest;
    for (; i < source.size(); ++i)
      rest.source.push_back(i);
    for (; j < target.size(); ++j)
      rest.target.push_back(j);
    groups.push_back(rest);
  }
  return groups;
}

/// Joins groups that have dimensions on one side only, which are of size 1,
/// with others.
static void joinOnes(SmallVectorImpl<DimGroup> &groups) {
  SmallVector<DimGroup> joined;
  DimGroup waiting;
  for (DimGroup &group : groups) {
    bool isHalf = group.source.empty() || group.target.empty();
    if (isHalf && !joined.empty()) {
      llvm::append_range(joined.back().source, group.source);
      llvm::append_range(joined.back().target, group.target);
    } else if (isHalf) {
      llvm::append_range(waiting.source, group.source);
      llvm::append_range(waiting.target, group.target);
    } else {
      group.source.insert(group.source.begin(), waiting.source.begin(),
                          waiting.source.end());
      group.target.insert(group.target.begin(), waiting.target.begin(),
                          waiting.target.end());
      waiting = {};
      joined.push_back(group);
    }
  }
  if (joined.empty() && (!waiting.source.empty() || !waiting.target.empty()))
    joined.push_back(waiting);
  groups = std::move(joined);
}

/// The size of a group, dynamic if one of its dimensions is.
static int64_t getGroupSize(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  int64_t product = 1;
  for (int64_t dim : dims) {
    if (ShapedType::isDynamic(shape[dim]))
      return ShapedType::kDynamic;
    // Too large sizes are refused by their maker.
    if (llvm::MulOverflow(product, shape[dim], product))
      return ShapedType::kDynamic;
  }
  return product;
}

Tensor onnx::reshape(NodeBuilder &n, const Tensor &tensor,
                     ArrayRef<OpFoldResult> sizes) {
  if (ArrayRef<OpFoldResult>(tensor.sizes) == sizes)
    return tensor;
  std::string wrong = checkSizes(sizes);
  if (!wrong.empty()) {
    n.fail("its result has " + wrong);
    return tensor;
  }
  std::optional<int64_t> count = tensor.count();
  std::optional<int64_t> wanted = Tensor(tensor.type, Sizes(sizes)).count();
  if (count && wanted && *count != *wanted) {
    n.fail("a value of " + Twine(*count) + " elements has not the " +
           Twine(*wanted) + " of its sizes");
    return n.make(tensor.type, sizes, n.empty(tensor.type, sizes));
  }
  if (tensor.elements)
    return n.makeKnown(tensor.type, sizes, *tensor.elements);
  // Dimensions of nothing have no groups.
  if (wanted == 0)
    return n.make(tensor.type, sizes, n.empty(tensor.type, sizes));
  // Integers may be axes or shapes.
  auto known = isInteger(tensor.type) ? n.known(tensor) : std::nullopt;
  if (known && getInt(n.ix.product(sizes)) == int64_t(known->size()))
    return n.makeKnown(tensor.type, sizes, *known);
  SmallVector<DimGroup> groups = groupDims(tensor.sizes, sizes);
  joinOnes(groups);
  Value value = n.value(tensor);
  auto sourceType = cast<RankedTensorType>(value.getType());
  RankedTensorType resultType = getTensorType(n.storage(tensor.type), sizes);
  SmallVector<ReassociationIndices> sourceGroups, targetGroups;
  SmallVector<int64_t> collapsed, expanded;
  for (DimGroup &group : groups) {
    // A tensor without dimensions has no groups.
    if (!group.source.empty() && !group.target.empty()) {
      sourceGroups.push_back(group.source);
      targetGroups.push_back(group.target);
    } else if (!group.source.empty()) {
      continue;
    }
    if (group.target.empty() || group.source.empty())
      continue;
    collapsed.push_back(getGroupSize(sourceType.getShape(), group.source));
    expanded.push_back(getGroupSize(resultType.getShape(), group.target));
  }
  Type element = sourceType.getElementType();
  auto castTo = [&](ArrayRef<int64_t> shape) {
    auto type = RankedTensorType::get(shape, element);
    if (value.getType() != type)
      value = tensor::CastOp::create(n.b, n.loc, type, value);
  };
  if (tensor.rank() != int64_t(collapsed.size())) {
    if (collapsed.empty())
      castTo(SmallVector<int64_t>(tensor.rank(), 1));
    value = tensor::CollapseShapeOp::create(
        n.b, n.loc, RankedTensorType::get(collapsed, element), value,
        sourceGroups);
  }
  if (int64_t(sizes.size()) != int64_t(expanded.size())) {
    castTo(expanded);
    SmallVector<int64_t> shape(resultType.getShape());
    if (expanded.empty())
      shape.assign(sizes.size(), 1);
    value = tensor::ExpandShapeOp::create(
        n.b, n.loc, RankedTensorType::get(shape, element), value, targetGroups,
        expanded.empty() ? Sizes(sizes.size(), n.ix.constant(1))
                         : Sizes(sizes));
  }
  return n.make(tensor.type, sizes, value);
}

Tensor onnx::unsqueeze(NodeBuilder &n, const Tensor &tensor,
                       ArrayRef<int64_t> axes) {
  Sizes sizes = tensor.sizes;
  for (int64_t axis : axes)
    sizes.insert(sizes.begin() + axis, n.ix.constant(1));
  return reshape(n, tensor, sizes);
}

Tensor onnx::squeeze(NodeBuilder &n, const Tensor &tensor,
                     ArrayRef<int64_t> axes) {
  Sizes ones = tensor.sizes, sizes;
  for (int64_t axis : axes)
    ones[axis] = n.checkEqual(ones[axis], n.ix.constant(1),
                              "a dimension that is taken off has not size 1");
  for (auto [axis, size] : llvm::enumerate(ones))
    if (!llvm::is_contained(axes, int64_t(axis)))
      sizes.push_back(size);
  // A value as it is keeps what is known of it.
  if (tensor.elements || ones == tensor.sizes || n.failed())
    return reshape(n, tensor, sizes);
  return reshape(n, n.make(tensor.type, ones, n.value(tensor)), sizes);
}

Tensor onnx::transpose(NodeBuilder &n, const Tensor &tensor,
                       ArrayRef<int64_t> permutation) {
  if (llvm::all_of(llvm::enumerate(permutation), [](auto pair) {
        return int64_t(pair.index()) == pair.value();
      }))
    return tensor;
  Sizes sizes;
  for (int64_t axis : permutation)
    sizes.push_back(tensor.sizes[axis]);
  auto op = linalg::TransposeOp::create(
      n.b, n.loc, n.value(tensor), n.empty(tensor.type, sizes), permutation);
  return n.make(tensor.type, sizes, op->getResult(0));
}

Tensor onnx::moveChannels(NodeBuilder &n, const Tensor &tensor, bool areLast) {
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq(tensor.rank()));
  if (permutation.size() < 3)
    return tensor;
  auto first = permutation.begin() + 1;
  std::rotate(first, areLast ? permutation.end() - 1 : first + 1,
              permutation.end());
  return transpose(n, tensor, permutation);
}

//===----------------------------------------------------------------------===//
// Slices, pads and concatenations
//===----------------------------------------------------------------------===//

Tensor onnx::slice(NodeBuilder &n, const Tensor &tensor,
                   ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                   ArrayRef<OpFoldResult> strides) {
  if (ArrayRef<OpFoldResult>(tensor.sizes) == sizes &&
      llvm::all_of(strides, [](OpFoldResult s) { return getInt(s) == 1; }))
    return tensor;
  // The verifier has no slices of nothing at the end, or from nothing.
  if (Tensor(tensor.type, Sizes(sizes)).count() == 0 || tensor.count() == 0)
    return n.make(tensor.type, sizes, n.empty(tensor.type, sizes));
  Sizes ones(tensor.rank(), n.ix.constant(1));
  // No elements may be from the end on.
  Sizes starts(offsets);
  for (auto [start, size] : llvm::zip_equal(starts, sizes))
    if (getInt(size) == 0)
      start = n.ix.constant(0);
  auto op = tensor::ExtractSliceOp::create(
      n.b, n.loc, getTensorType(n.storage(tensor.type), sizes), n.value(tensor),
      starts, sizes, strides.empty() ? ones : strides);
  return n.make(tensor.type, sizes, op);
}

Tensor onnx::sliceAxis(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                       OpFoldResult offset, OpFoldResult size) {
  Sizes offsets(tensor.rank(), n.ix.constant(0)), sizes = tensor.sizes;
  offsets[axis] = offset;
  sizes[axis] = size;
  return slice(n, tensor, offsets, sizes);
}

Tensor onnx::pad(NodeBuilder &n, const Tensor &tensor,
                 ArrayRef<OpFoldResult> low, ArrayRef<OpFoldResult> high,
                 Value value) {
  Sizes sizes = tensor.sizes;
  bool isNone = true;
  for (auto [size, before, after] : llvm::zip_equal(sizes, low, high)) {
    isNone &= getInt(before) == 0 && getInt(after) == 0;
    size = n.ix.add(size, n.ix.add(before, after));
  }
  if (isNone)
    return tensor;
  auto op = tensor::PadOp::create(n.b, n.loc,
                                  getTensorType(n.storage(tensor.type), sizes),
                                  n.value(tensor), low, high, value);
  return n.make(tensor.type, sizes, op);
}

/// The elements of vectors one after the other, if all are known.
static std::optional<Tensor> joinKnown(NodeBuilder &n,
                                       ArrayRef<Tensor> tensors) {
  SmallVector<OpFoldResult> all;
  for (const Tensor &tensor : tensors) {
    auto known = n.known(tensor);
    if (tensor.rank() != 1 || !known)
      return std::nullopt;
    llvm::append_range(all, *known);
  }
  if (int64_t(all.size()) > kMaxKnownElements)
    return std::nullopt;
  return n.makeKnown(tensors.front().type, {n.ix.constant(all.size())}, all);
}

Tensor onnx::concat(NodeBuilder &n, ArrayRef<Tensor> tensors, int64_t axis) {
  if (auto known = joinKnown(n, tensors))
    return *known;
  Sizes sizes = tensors.front().sizes;
  for (const Tensor &tensor : tensors.drop_front())
    for (int64_t dim = 0; dim < tensor.rank(); ++dim)
      sizes[dim] = dim == axis ? n.ix.add(sizes[dim], tensor.sizes[dim])
                               : n.checkEqual(sizes[dim], tensor.sizes[dim],
                                              "sizes of its inputs are unlike");
  if (tensors.size() == 1 || n.failed())
    return tensors.front();
  ElementType type = tensors.front().type;
  Value joined = n.empty(type, sizes);
  Sizes offsets(sizes.size(), n.ix.constant(0));
  Sizes ones(sizes.size(), n.ix.constant(1));
  for (const Tensor &tensor : tensors) {
    Sizes own = sizes;
    own[axis] = tensor.sizes[axis];
    if (Tensor(type, own).count() == 0)
      continue;
    Value part = n.make(type, own, n.value(tensor)).value;
    joined = tensor::InsertSliceOp::create(n.b, n.loc, part, joined, offsets,
                                           own, ones);
    offsets[axis] = n.ix.add(offsets[axis], tensor.sizes[axis]);
  }
  return n.make(type, sizes, joined);
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

Value onnx::wrapIndex(OpBuilder &b, Location loc, Value index, Value size) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value isNegative = b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, index, zero);
  Value moved = b.createOrFold<arith::AddIOp>(loc, index, size);
  return b.createOrFold<arith::SelectOp>(loc, isNegative, moved, index);
}

Tensor onnx::computeAt(NodeBuilder &n, ElementType type,
                       ArrayRef<Tensor> operands, ArrayRef<OpFoldResult> sizes,
                       ElementAt body) {
  int64_t rank = sizes.size();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Tensor &operand : operands) {
    inputs.push_back(n.value(operand));
    maps.push_back(getBroadcastMap(n, operand, sizes));
  }
  maps.push_back(n.b.getMultiDimIdentityMap(rank));
  Value init = n.empty(type, sizes);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      n.b, n.loc, init.getType(), inputs, init, maps, loops,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> indices;
        for (int64_t axis = 0; axis < rank; ++axis)
          indices.push_back(linalg::IndexOp::create(b, loc, axis));
        linalg::YieldOp::create(b, loc,
                                body(b, loc, indices, args.drop_back()));
      });
  return n.make(type, sizes, op.getResult(0));
}

Tensor onnx::gather(NodeBuilder &n, const Tensor &source,
                    ArrayRef<Tensor> operands, ArrayRef<OpFoldResult> sizes,
                    PlaceBody body) {
  Value read = n.value(source);
  return computeAt(n, source.type, operands, sizes,
                   [&](OpBuilder &b, Location loc, ValueRange indices,
                       ValueRange elements) -> Value {
                     return tensor::ExtractOp::create(
                         b, loc, read, body(b, loc, indices, elements));
                   });
}
