//===- PixelEmitter.cpp - Rows of pixels of an image with a border --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PixelEmitter.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Value>
mlir::hetero::emitPixelRows(EmitContext &context, Values tensors,
                            const WindowSide &side,
                            llvm::function_ref<Values(Values, int64_t)> body) {
  LoopNest &nest = context.nest;
  const TiledLoop &tiled = *nest.plan.rows;
  auto [lower, upper] = context.border.getInnerRows(side);
  int64_t first = *getConstantIntValue(lower);
  int64_t last = *getConstantIntValue(upper);
  int64_t size = *getConstantIntValue(nest.sizes[tiled.loop]);
  for (int64_t begin = 0, end; begin < size; begin = end) {
    int64_t rows = std::min(tiled.count, size - begin);
    end = begin + rows;
    bool isAtBorder = begin < first || end > last;
    context.border.setAtBorder(isAtBorder);
    while (!isAtBorder && end + rows <= last)
      end += rows;
    tensors = nest.emitLoop(nest.index(begin), nest.index(end), rows, tensors,
                            [&](Value index, Values carried) {
                              nest.indices[tiled.loop] = index;
                              if (isAtBorder)
                                nest.indices[tiled.loop] = nest.index(begin);
                              return body(carried, rows);
                            });
  }
  context.border.setAtBorder(false);
  return tensors;
}
