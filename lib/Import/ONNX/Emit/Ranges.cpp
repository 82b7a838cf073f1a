//===- Ranges.cpp - Ranges of dimensions ----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::onnx;

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
  if (step > 0) {
    start = clamp(wrap(start), zero, size);
    end = getInt(end) && *getInt(end) >= (int64_t(1) << 31) - 1
              ? size
              : clamp(wrap(end), zero, size);
  } else {
    // Backwards the end may be before the first element.
    start = getInt(start) && *getInt(start) >= (int64_t(1) << 31) - 1
                ? last
                : clamp(wrap(start), ix.constant(-1), last);
    end = getInt(end) && *getInt(end) <= -((int64_t(1) << 31) - 1)
              ? ix.constant(-1)
              : clamp(wrap(end), ix.constant(-1), last);
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
  return gather(
      n, x, {}, sizes,
      [&](OpBuilder &b, Location loc, ValueRange indices, ValueRange) {
        SmallVector<Value> place;
        for (auto [axis, index] : llvm::enumerate(indices)) {
          Value step =
              arith::ConstantIndexOp::create(b, loc, ranges[axis].step);
          Value moved = b.createOrFold<arith::MulIOp>(loc, index, step);
          place.push_back(
              b.createOrFold<arith::AddIOp>(loc, starts[axis], moved));
        }
        return place;
      });
}

Tensor onnx::sliceKnownAxis(NodeBuilder &n, const Tensor &tensor, int64_t axis,
                            OpFoldResult offset, OpFoldResult size) {
  SmallVector<AxisRange> ranges = getWholeRanges(n, tensor);
  ranges[axis] = {offset, size, 1};
  return takeRanges(n, tensor, ranges);
}
