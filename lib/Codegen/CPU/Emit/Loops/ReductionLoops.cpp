//===- ReductionLoops.cpp - Loops of sums ---------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionLoops.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Value> ReductionLoops::emit(ArrayRef<unsigned> loops,
                                        Values carried, BodyFn body) {
  if (loops.empty())
    return body(carried);
  unsigned loop = loops.front();
  auto rest = [&](Values inner) {
    return emit(loops.drop_front(), inner, body);
  };
  if (const WindowSide *side = border.findOpenSide(loop))
    return side == border.findPixelSide() ? emitPixelSteps(*side, carried, rest)
                                          : emitSideSteps(*side, carried, rest);
  OpFoldResult first = nest.getFirstStep(loop);
  if (loop == nest.plan.getWindowLoop())
    return emitSteps(loop, first, nest.sizes[loop], carried, rest);
  auto step = [&](Value index, Values inner) {
    nest.indices[loop] = index;
    return rest(inner);
  };
  OpFoldResult end = nest.getStepsEnd(loop);
  return loop == nest.plan.getNarrowLoop()
             ? groups.emit(first, end, carried, step)
             : sums.emitLoop(loop, first, end, 1, carried, step);
}

SmallVector<Value> ReductionLoops::emitSums(Values accumulators, BodyFn body) {
  sums.setActive(true);
  accumulators = emit(nest.reductionLoops, accumulators, body);
  sums.setActive(false);
  return accumulators;
}

bool ReductionLoops::isInside(int64_t row) const {
  return insideRows.empty() || llvm::is_contained(insideRows, row);
}

/// The steps of a reduction in up to three parts: before, in and after the
/// image.
SmallVector<Value> ReductionLoops::emitSideSteps(const WindowSide &side,
                                                 Values carried, BodyFn body) {
  unsigned loop = side.reductionLoop;
  auto [lower, upper] = border.getInnerSteps(side);
  // Those of the part that is done now.
  if (nest.isSplit(loop)) {
    OpFoldResult end = nest.getStepsEnd(loop);
    lower = nest.clamp(lower, nest.firstStep, end);
    upper = nest.clamp(upper, nest.firstStep, end);
  }
  auto outside = [&](OpFoldResult from, OpFoldResult to) {
    if (border.isNeutral())
      return;
    border.setOutside(true);
    carried = emitSteps(loop, from, to, carried, body);
    border.setOutside(false);
  };
  outside(nest.index(0), lower);
  carried = emitSteps(loop, lower, upper, carried, body);
  outside(upper, nest.sizes[loop]);
  return carried;
}

/// Steps `from` to `to` of a reduction. Those of the innermost loop of a window
/// are in one body if they are known to be few.
SmallVector<Value> ReductionLoops::emitSteps(unsigned loop, OpFoldResult from,
                                             OpFoldResult to, Values carried,
                                             BodyFn body) {
  std::optional<int64_t> first = getConstantIntValue(from);
  std::optional<int64_t> end = getConstantIntValue(to);
  if (loop == nest.plan.getWindowLoop() && first && end && *first < *end &&
      *end - *first <= kMaxWindowSteps) {
    windowSteps = llvm::to_vector(llvm::seq(*first, *end));
    carried =
        sums.isBlocked(loop) ? sums.emitBlock(carried, body) : body(carried);
    windowSteps.clear();
    return carried;
  }
  return sums.emitLoop(loop, from, to, 1, carried,
                       [&](Value index, Values inner) {
                         nest.indices[loop] = index;
                         return body(inner);
                       });
}

/// The steps of a reduction along the rows of a tile at a border. Those that
/// the same rows are inside of the image for are a loop: of 14 pixels at the
/// left border, with windows of 3 and 64 channels,
///
///   for k = 0 to 64    sums of pixels 1 to 13 += x[64 * (p - 1) + k] * w[k]
///   for k = 64 to 192  sums of pixels 0 to 13 += x[64 * (p - 1) + k] * w[k]
SmallVector<Value> ReductionLoops::emitPixelSteps(const WindowSide &side,
                                                  Values carried, BodyFn body) {
  OpFoldResult &row = nest.indices[nest.plan.rows->loop];
  int64_t first = *getConstantIntValue(row);
  SmallVector<std::pair<int64_t, int64_t>> inside;
  SmallVector<int64_t> ends;
  for (int64_t i = 0; i < nest.tileRows; ++i) {
    row = nest.index(first + i);
    auto [lower, upper] = border.getInnerSteps(side);
    inside.push_back(
        {*getConstantIntValue(lower), *getConstantIntValue(upper)});
    ends.append({inside.back().first, inside.back().second});
  }
  row = nest.index(first);
  llvm::sort(ends);
  ends.erase(llvm::unique(ends), ends.end());
  for (auto [begin, end] : llvm::zip_equal(ArrayRef(ends).drop_back(),
                                           ArrayRef(ends).drop_front())) {
    insideRows.clear();
    for (auto [i, steps] : llvm::enumerate(inside))
      if (steps.first <= begin && end <= steps.second)
        insideRows.push_back(i);
    if (!insideRows.empty())
      carried =
          sums.emitLoop(side.reductionLoop, nest.index(begin), nest.index(end),
                        1, carried, [&](Value index, Values inner) {
                          nest.indices[side.reductionLoop] = index;
                          return body(inner);
                        });
  }
  insideRows.clear();
  return carried;
}
