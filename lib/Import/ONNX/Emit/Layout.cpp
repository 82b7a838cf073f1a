//===- Layout.cpp - Operations that move elements -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

namespace {
/// A constant times values, which may be there several times.
struct Factors {
  int64_t constant = 1;
  SmallVector<Value> values;
  /// True of sizes that their maker has still to refuse.
  bool isTooLarge = false;

  explicit Factors(ArrayRef<OpFoldResult> sizes) {
    for (OpFoldResult size : sizes)
      add(size);
  }

  void scale(int64_t number) {
    isTooLarge |= bool(llvm::MulOverflow(constant, number, constant));
  }

  void add(OpFoldResult size) {
    if (std::optional<int64_t> number = getInt(size))
      return scale(*number);
    Value value = cast<Value>(size);
    if (auto product = value.getDefiningOp<arith::MulIOp>()) {
      add(product.getLhs());
      return add(product.getRhs());
    }
    auto apply = value.getDefiningOp<affine::AffineApplyOp>();
    AffineExpr result = apply && apply.getNumOperands() == 1
                            ? apply.getAffineMap().getResult(0)
                            : AffineExpr();
    auto expr = dyn_cast_or_null<AffineBinaryOpExpr>(result);
    if (expr && expr.getKind() == AffineExprKind::Mul &&
        !isa<AffineBinaryOpExpr>(expr.getLHS()))
      if (auto number = dyn_cast<AffineConstantExpr>(expr.getRHS())) {
        scale(number.getValue());
        return add(apply.getOperand(0));
      }
    values.push_back(value);
  }

  /// Takes off what both have.
  void cancel(Factors &other) {
    for (size_t i = 0; i < values.size();) {
      auto it = llvm::find(other.values, values[i]);
      if (it == other.values.end()) {
        ++i;
        continue;
      }
      other.values.erase(it);
      values.erase(values.begin() + i);
    }
    int64_t common = std::max<int64_t>(std::gcd(constant, other.constant), 1);
    constant /= common;
    other.constant /= common;
  }

  OpFoldResult multiply(Indices &ix) const {
    Sizes factors = llvm::to_vector_of<OpFoldResult>(values);
    return ix.mul(ix.product(factors), ix.constant(constant));
  }
};
} // namespace

bool onnx::haveEqualProducts(ArrayRef<OpFoldResult> lhs,
                             ArrayRef<OpFoldResult> rhs) {
  Factors left(lhs), right(rhs);
  left.cancel(right);
  return !left.isTooLarge && !right.isTooLarge && left.values.empty() &&
         right.values.empty() && left.constant == right.constant;
}

OpFoldResult onnx::divideProducts(Indices &ix, ArrayRef<OpFoldResult> dividend,
                                  ArrayRef<OpFoldResult> divisor) {
  Factors left(dividend), right(divisor);
  if (right.constant == 0 || left.isTooLarge || right.isTooLarge)
    return ix.constant(0);
  left.cancel(right);
  if (right.values.empty() && right.constant == 1)
    return left.multiply(ix);
  // A size that only the run knows may be 0.
  return ix.floorDiv(left.multiply(ix),
                     ix.max(right.multiply(ix), ix.constant(1)));
}

namespace {
/// Dimensions of the tensor and of the result that hold the same elements.
struct DimGroup {
  ReassociationIndices source, target;
};
} // namespace

/// Takes off the start of both the shortest dimensions, at least one, that are
/// known to have equal products, first those with fewer of the source; all if
/// there are none.
static DimGroup takeGroup(ArrayRef<OpFoldResult> source,
                          ArrayRef<OpFoldResult> target, size_t i, size_t j) {
  auto makeGroup = [&](size_t left, size_t right) {
    return DimGroup{llvm::to_vector_of<int64_t, 2>(llvm::seq(i, i + left)),
                    llvm::to_vector_of<int64_t, 2>(llvm::seq(j, j + right))};
  };
  size_t lefts = source.size() - i, rights = target.size() - j;
  for (size_t length = 1; length <= lefts + rights; ++length)
    for (size_t left = 0; left <= std::min(length, lefts); ++left)
      if (size_t right = length - left;
          right <= rights &&
          haveEqualProducts(source.slice(i, left), target.slice(j, right)))
        return makeGroup(left, right);
  return makeGroup(lefts, rights);
}

/// Divides both into groups that hold the same elements. Groups that have
/// dimensions on one side only, which are of size 1, join others.
static SmallVector<DimGroup> groupDims(ArrayRef<OpFoldResult> source,
                                       ArrayRef<OpFoldResult> target) {
  SmallVector<DimGroup> groups;
  DimGroup waiting;
  for (size_t i = 0, j = 0; i < source.size() || j < target.size();) {
    DimGroup group = takeGroup(source, target, i, j);
    i += group.source.size();
    j += group.target.size();
    bool isHalf = group.source.empty() || group.target.empty();
    DimGroup &place = isHalf && !groups.empty() ? groups.back() : waiting;
    llvm::append_range(place.source, group.source);
    llvm::append_range(place.target, group.target);
    if (!isHalf)
      groups.push_back(std::exchange(waiting, {}));
  }
  // A tensor without dimensions has no groups.
  if (groups.empty() && !waiting.source.empty() && !waiting.target.empty())
    groups.push_back(waiting);
  return groups;
}

/// The size of a group, dynamic if one of its dimensions is.
static int64_t getGroupSize(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  int64_t product = 1;
  for (int64_t dim : dims) {
    // Too large sizes are refused by their maker.
    if (ShapedType::isDynamic(shape[dim]) ||
        llvm::MulOverflow(product, shape[dim], product))
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
    return n.makeEmpty(tensor.type, sizes);
  }
  if (tensor.elements)
    return n.makeKnown(tensor.type, sizes, *tensor.elements);
  if (tensor.packed && wanted) {
    Tensor made = tensor;
    made.sizes = Sizes(sizes);
    return made;
  }
  // Dimensions of nothing have no groups.
  if (wanted == 0)
    return n.makeEmpty(tensor.type, sizes);
  // Integers may be axes or shapes.
  auto known = isInteger(tensor.type) ? n.known(tensor) : std::nullopt;
  if (known && getInt(n.ix.product(sizes)) == int64_t(known->size()))
    return n.makeKnown(tensor.type, sizes, *known);
  Value value = n.value(tensor);
  auto sourceType = cast<RankedTensorType>(value.getType());
  RankedTensorType resultType = getTensorType(n.storage(tensor.type), sizes);
  SmallVector<ReassociationIndices> sourceGroups, targetGroups;
  SmallVector<int64_t> collapsed, expanded;
  for (DimGroup &group : groupDims(tensor.sizes, sizes)) {
    sourceGroups.push_back(group.source);
    targetGroups.push_back(group.target);
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

Tensor onnx::slice(NodeBuilder &n, const Tensor &tensor,
                   ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                   ArrayRef<OpFoldResult> strides) {
  if (ArrayRef<OpFoldResult>(tensor.sizes) == sizes &&
      llvm::all_of(strides, [](OpFoldResult s) { return getInt(s) == 1; }))
    return tensor;
  // The verifier has no slices of nothing at the end, or from nothing.
  bool isEmpty =
      Tensor(tensor.type, Sizes(sizes)).count() == 0 || tensor.count() == 0;
  for (auto [axis, offset] : llvm::enumerate(offsets))
    isEmpty |= getInt(offset) && tensor.dim(axis) &&
               *getInt(offset) >= *tensor.dim(axis);
  if (isEmpty)
    return n.makeEmpty(tensor.type, sizes);
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

Value onnx::wrapIndex(OpBuilder &b, Location loc, Value index, Value size) {
  Scalars s(b, loc, ElementType::I64);
  Value isNegative = s.less(index, s.constantLike(index, 0));
  return s.select(isNegative, s.add(index, size), index);
}

Tensor onnx::gather(NodeBuilder &n, const Tensor &source,
                    ArrayRef<Tensor> operands, ArrayRef<OpFoldResult> sizes,
                    PlaceBody body) {
  Value read = n.value(source);
  return computeAt(n, source.type, operands, sizes,
                   [&](Scalars &s, ValueRange indices, ValueRange elements) {
                     return tensor::ExtractOp::create(
                                s.b, s.loc, read,
                                body(s.b, s.loc, indices, elements))
                         .getResult();
                   });
}

Tensor onnx::gatherByAxis(
    NodeBuilder &n, const Tensor &source, ArrayRef<OpFoldResult> sizes,
    llvm::function_ref<Value(Scalars &s, size_t axis, Value index)> body) {
  return gather(
      n, source, {}, sizes,
      [&](OpBuilder &b, Location loc, ValueRange indices, ValueRange) {
        Scalars s(b, loc, ElementType::I64);
        SmallVector<Value> place;
        for (auto [axis, index] : llvm::enumerate(indices))
          place.push_back(body(s, axis, index));
        return place;
      });
}

SmallVector<AxisRange> onnx::getWholeRanges(NodeBuilder &n,
                                            const Tensor &tensor) {
  SmallVector<AxisRange> ranges;
  for (OpFoldResult size : tensor.sizes)
    ranges.push_back({n.ix.constant(0), size, 1});
  return ranges;
}

AxisRange onnx::makeRange(NodeBuilder &n, OpFoldResult start, OpFoldResult end,
                          int64_t step, OpFoldResult size) {
  Indices &ix = n.ix;
  OpFoldResult zero = ix.constant(0), one = ix.constant(1);
  // No tensor is so large, and sums of these fit an index.
  constexpr int64_t kFar = int64_t(1) << 48;
  for (OpFoldResult *bound : {&start, &end})
    if (std::optional<int64_t> number = getInt(*bound))
      *bound = ix.constant(std::clamp(*number, -kFar, kFar));
  step = std::max(step, -std::numeric_limits<int64_t>::max());
  auto wrap = [&](OpFoldResult index) {
    return ix.select(ix.less(index, zero), ix.add(index, size), index);
  };
  auto clamp = [&](OpFoldResult index, OpFoldResult low, OpFoldResult high) {
    return ix.max(ix.min(index, high), low);
  };
  OpFoldResult last = ix.sub(size, one);
  // Bounds that stand for the end of any dimension, or for its start.
  constexpr int64_t kAny = (int64_t(1) << 31) - 1;
  bool isToEnd = getInt(step > 0 ? end : start).value_or(0) >= kAny;
  bool isToStart = getInt(end).value_or(0) <= -kAny;
  if (step > 0) {
    start = clamp(wrap(start), zero, size);
    end = isToEnd ? size : clamp(wrap(end), zero, size);
  } else {
    // Backwards the end may be before the first element.
    OpFoldResult before = ix.constant(-1);
    start = isToEnd ? last : clamp(wrap(start), before, last);
    end = isToStart ? before : clamp(wrap(end), before, last);
  }
  OpFoldResult room = step > 0 ? ix.sub(end, start) : ix.sub(start, end);
  OpFoldResult count =
      ix.ceilDiv(ix.max(room, zero), ix.constant(step > 0 ? step : -step));
  return {start, count, step};
}

/// Takes ranges of known elements; nullopt if they are not known.
static std::optional<Tensor> takeKnown(NodeBuilder &n, const Tensor &x,
                                       ArrayRef<AxisRange> ranges) {
  auto known = x.rank() == 1 ? n.known(x) : std::nullopt;
  if (!known || !getInt(ranges[0].start) || !getInt(ranges[0].size))
    return std::nullopt;
  SmallVector<OpFoldResult> taken;
  for (int64_t i = 0; i < *getInt(ranges[0].size); ++i)
    taken.push_back((*known)[*getInt(ranges[0].start) + i * ranges[0].step]);
  return n.makeKnown(x.type, {ranges[0].size}, taken);
}

Tensor onnx::takeRanges(NodeBuilder &n, const Tensor &x,
                        ArrayRef<AxisRange> ranges) {
  if (auto known = takeKnown(n, x, ranges))
    return *known;
  Sizes offsets, sizes, strides;
  bool isForward = true;
  for (const AxisRange &range : ranges) {
    offsets.push_back(range.start);
    sizes.push_back(range.size);
    strides.push_back(n.ix.constant(range.step));
    isForward &= range.step > 0;
  }
  if (isForward)
    return slice(n, x, offsets, sizes, strides);
  SmallVector<Value> starts = n.ix.values(offsets);
  return gatherByAxis(n, x, sizes, [&](Scalars &s, size_t axis, Value index) {
    Value step = s.constantLike(index, ranges[axis].step);
    return s.add(starts[axis], s.mul(index, step));
  });
}

Tensor onnx::sliceKnownAxis(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                            OpFoldResult offset, OpFoldResult size) {
  SmallVector<AxisRange> ranges = getWholeRanges(n, tensor);
  ranges[axis] = {offset, size, 1};
  return takeRanges(n, tensor, ranges);
}

Tensor onnx::cutMargins(NodeBuilder &n, const Tensor &x, Margins &margins) {
  Indices &ix = n.ix;
  OpFoldResult zero = ix.constant(0);
  // How much is cut of an end.
  auto takeOff = [&](OpFoldResult &margin) {
    std::optional<int64_t> known = getInt(margin);
    OpFoldResult less = known ? ix.constant(*known < 0 ? -*known : 0)
                              : ix.max(ix.sub(zero, margin), zero);
    margin = known ? ix.constant(std::max<int64_t>(*known, 0))
                   : ix.max(margin, zero);
    return less;
  };
  Sizes offsets, sizes;
  bool cuts = false;
  for (int64_t axis = 0; axis < x.rank(); ++axis) {
    OpFoldResult first = takeOff(margins.low[axis]);
    OpFoldResult last = takeOff(margins.high[axis]);
    offsets.push_back(first);
    OpFoldResult rest = ix.sub(x.sizes[axis], ix.add(first, last));
    bool isWhole = getInt(first) == 0 && getInt(last) == 0;
    sizes.push_back(isWhole ? x.sizes[axis] : rest);
    if (!isWhole)
      n.check(ix.less(ix.constant(-1), rest), "more is cut than there is");
    cuts |= !isWhole;
  }
  return cuts && !n.failed() ? slice(n, x, offsets, sizes) : x;
}

Tensor onnx::applyMargins(NodeBuilder &n, const Tensor &x, Margins margins,
                          Value value) {
  Tensor cut = cutMargins(n, x, margins);
  return pad(n, cut, margins.low, margins.high, value);
}
