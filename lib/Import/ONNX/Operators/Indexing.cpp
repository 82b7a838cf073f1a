//===- Indexing.cpp - Slices and gathers ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Emit/Layout.h"
#include "../OperatorTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

static void buildSlice(NodeBuilder &n) {
  const Tensor &x = n.in(0);
  SmallVector<OpFoldResult> starts, ends;
  SmallVector<int64_t> axes, steps;
  if (n.since() < 10) {
    for (int64_t start : n.getInts("starts"))
      starts.push_back(n.ix.constant(start));
    for (int64_t end : n.getInts("ends"))
      ends.push_back(n.ix.constant(end));
    axes = n.getInts("axes");
  } else {
    starts = n.indices(n.in(1));
    ends = n.indices(n.in(2));
    if (n.has(3))
      axes = n.ints(n.in(3), "axes").value_or(SmallVector<int64_t>());
    if (n.has(4))
      steps = n.ints(n.in(4), "steps").value_or(SmallVector<int64_t>());
  }
  if (axes.empty() && !n.has(3) && !n.findAttr("axes"))
    for (size_t i = 0; i < starts.size(); ++i)
      axes.push_back(i);
  if (steps.empty())
    steps.assign(starts.size(), 1);
  axes = n.axes(axes, x.rank());
  if (!n.failed() &&
      (starts.size() != ends.size() || axes.size() != starts.size() ||
       steps.size() != starts.size() || llvm::is_contained(steps, 0)))
    n.fail("its starts, ends, axes and steps do not fit each other");
  if (n.failed())
    return;
  SmallVector<AxisRange> ranges = getWholeRanges(n, x);
  for (auto [axis, start, end, step] :
       llvm::zip_equal(axes, starts, ends, steps))
    ranges[axis] = makeRange(n, start, end, step, x.sizes[axis]);
  n.set(0, takeRanges(n, x, ranges));
}

/// Elements of a vector at known places.
static std::optional<Tensor> gatherKnown(NodeBuilder &n, const Tensor &x,
                                         const Tensor &indices) {
  auto known = x.rank() == 1 ? n.known(x) : std::nullopt;
  auto places = n.known(indices);
  if (!known || !places)
    return std::nullopt;
  SmallVector<OpFoldResult> taken;
  for (OpFoldResult place : *places) {
    std::optional<int64_t> index = getInt(n.ix.fromElement(place));
    int64_t size = known->size();
    if (!index || *index < -size || *index >= size)
      return std::nullopt;
    taken.push_back((*known)[*index < 0 ? *index + size : *index]);
  }
  return n.makeKnown(x.type, indices.sizes, taken);
}

/// One place along an axis is a slice.
static std::optional<Tensor> gatherSlice(NodeBuilder &n, const Tensor &x,
                                         const Tensor &indices, int64_t axis) {
  auto place = n.known(indices);
  std::optional<int64_t> size = x.dim(axis);
  if (indices.rank() > 1 || !place || place->size() != 1)
    return std::nullopt;
  std::optional<int64_t> index = getInt(n.ix.fromElement(place->front()));
  if (!index || (size ? *index < -*size || *index >= *size : *index != 0))
    return std::nullopt;
  OpFoldResult offset = *index < 0
                            ? n.ix.add(x.sizes[axis], n.ix.constant(*index))
                            : n.ix.constant(*index);
  Tensor taken = sliceAxis(n, x, axis, offset, n.ix.constant(1));
  return indices.rank() == 0 ? squeeze(n, taken, axis) : taken;
}

static void buildGather(NodeBuilder &n) {
  const Tensor &x = n.in(0), &indices = n.in(1);
  int64_t axis = n.getAxis("axis", 0, x.rank());
  if (n.failed())
    return;
  if (auto known = gatherKnown(n, x, indices))
    return n.set(0, *known);
  if (auto taken = gatherSlice(n, x, indices, axis))
    return n.set(0, *taken);
  Sizes sizes(ArrayRef(x.sizes).take_front(axis));
  llvm::append_range(sizes, indices.sizes);
  llvm::append_range(sizes, ArrayRef(x.sizes).drop_front(axis + 1));
  // The indices broadcast to the dimensions after them.
  SmallVector<int64_t> after;
  for (int64_t i = axis + 1; i < x.rank(); ++i)
    after.push_back(indices.rank() + i - axis - 1);
  Tensor places = unsqueeze(n, indices, after);
  Value size = n.ix.value(x.sizes[axis]);
  int64_t inner = indices.rank();
  n.set(0, gather(n, x, places, sizes,
                  [&](OpBuilder &b, Location loc, ValueRange at,
                      ValueRange elements) {
                    SmallVector<Value> place(at.take_front(axis));
                    Value index = b.createOrFold<arith::IndexCastOp>(
                        loc, b.getIndexType(), elements[0]);
                    place.push_back(wrapIndex(b, loc, index, size));
                    llvm::append_range(place, at.drop_front(axis + inner));
                    return place;
                  }));
}

void mlir::hetero::onnx::addIndexing(OperatorTable &table) {
  table.add("Slice", {1, 10, 11, 13}, buildSlice);
  table.add("Gather", {1, 11, 13}, buildGather);
}
