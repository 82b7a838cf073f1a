//===- PixelEmitter.cpp - Pixels at the borders of images -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register tile of pixels at a border that is not in memory leaves out the
// steps whose window reaches over it. Of 14 pixels at the left border, with
// windows of 3 and 64 channels,
//
//   for k = 0 to 64    sums of pixels 1 to 13 += x[64 * (p - 1) + k] * w[k]
//   for k = 64 to 192  sums of pixels 0 to 13 += x[64 * (p - 1) + k] * w[k]
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"

using namespace mlir;
using namespace mlir::hetero;

/// The side of the border that pixels of a register tile are along; null for
/// none.
const WindowSide *LoopEmitter::findPixelSide() {
  return plan.is<PixelRows>() ? findRowSide() : nullptr;
}

/// The rows in blocks, of which those at a border have code of their own.
SmallVector<Value>
LoopEmitter::emitPixelRows(Values tensors, const WindowSide &side,
                           llvm::function_ref<Values(Values, int64_t)> body) {
  auto [lower, upper] = getInnerRows(side);
  int64_t first = *getConstantIntValue(lower);
  int64_t last = *getConstantIntValue(upper);
  int64_t size = *getConstantIntValue(sizes[plan.rows->loop]);
  for (int64_t begin = 0, end; begin < size; begin = end) {
    int64_t rows = std::min(plan.rows->count, size - begin);
    end = begin + rows;
    isAtBorder = begin < first || end > last;
    while (!isAtBorder && end + rows <= last)
      end += rows;
    tensors = emitLoop(rewriter.getIndexAttr(begin), rewriter.getIndexAttr(end),
                       rows, tensors, [&](Value index, Values carried) {
                         indices[plan.rows->loop] = index;
                         if (isAtBorder)
                           indices[plan.rows->loop] =
                               rewriter.getIndexAttr(begin);
                         return body(carried, rows);
                       });
  }
  isAtBorder = false;
  return tensors;
}

/// The steps of a reduction along the rows of a tile at a border: those that
/// the same rows are inside of the image for are a loop.
SmallVector<Value>
LoopEmitter::emitPixelSteps(const WindowSide &side, Values carried,
                            llvm::function_ref<Values(Values)> body) {
  int64_t first = *getConstantIntValue(indices[plan.rows->loop]);
  SmallVector<std::pair<int64_t, int64_t>> inside;
  SmallVector<int64_t> ends;
  for (int64_t row = 0; row < tileRows; ++row) {
    indices[plan.rows->loop] = rewriter.getIndexAttr(first + row);
    auto [lower, upper] = getInnerSteps(side);
    inside.push_back(
        {*getConstantIntValue(lower), *getConstantIntValue(upper)});
    ends.append({inside.back().first, inside.back().second});
  }
  indices[plan.rows->loop] = rewriter.getIndexAttr(first);
  llvm::sort(ends);
  ends.erase(llvm::unique(ends), ends.end());
  for (auto [begin, end] : llvm::zip_equal(ArrayRef(ends).drop_back(),
                                           ArrayRef(ends).drop_front())) {
    insideRows.clear();
    for (auto [row, steps] : llvm::enumerate(inside))
      if (steps.first <= begin && end <= steps.second)
        insideRows.push_back(row);
    if (!insideRows.empty())
      carried =
          emitLoop(rewriter.getIndexAttr(begin), rewriter.getIndexAttr(end), 1,
                   carried, [&](Value index, Values inner) {
                     indices[side.reductionLoop] = index;
                     return body(inner);
                   });
  }
  insideRows.clear();
  return carried;
}
