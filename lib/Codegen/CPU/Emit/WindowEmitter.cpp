//===- WindowEmitter.cpp - Windows across the vectors ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window of 3 x 3 on an image whose channels are along the vectors, with a
// border that nothing puts into memory:
//
//   for y in rows
//     for x in the columns whose windows reach over the left end, one by one,
//             in those whose windows do not, some at a time, and at the right
//       for c in vectors
//         for i = max(0, 1 - y) to min(3, height + 1 - y)
//           sums of the pixels += x[y + i - 1, x + 0, ..., x + 2, c]
//
// Where what the border adds makes a difference, the steps that it is in are
// loops of their own.
//
//===----------------------------------------------------------------------===//

#include "WindowEmitter.h"

#include "Codegen/CPU/Emit/Loops/LoopBlocks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Value> WindowEmitter::emit(Values tensors) {
  OpFoldResult lower = nest.index(0), upper = nest.sizes[nest.plan.rows->loop];
  if (const WindowSide *side = context.border.findRowSide()) {
    if (std::optional<KnownSide> known = context.border.getKnownSide(*side))
      return emitKnownRows(*known, tensors);
    std::tie(lower, upper) = context.border.getInnerRows(*side);
  }
  tensors = emitBorderRows(tensors, nest.index(0), lower);
  tensors = emitRowBlocks(
      nest, tensors, lower, upper,
      [&](Values carried, int64_t rows) { return emitVectors(carried, rows); });
  return emitBorderRows(tensors, upper, nest.sizes[nest.plan.rows->loop]);
}

/// The vectors of some rows.
SmallVector<Value> WindowEmitter::emitVectors(Values tensors, int64_t rows) {
  return emitVectorBlocks(nest, tensors,
                          [&](Values carried, const TileShape &shape) {
                            TileShape ofRows = shape;
                            ofRows.rows = rows;
                            context.prepared.enterBlock(shape);
                            return tile.emit(carried, ofRows);
                          });
}

/// Rows whose windows may reach over the border, one by one.
SmallVector<Value> WindowEmitter::emitBorderRows(Values tensors,
                                                 OpFoldResult from,
                                                 OpFoldResult to) {
  context.border.setAtBorder(true);
  tensors =
      nest.emitLoop(from, to, 1, tensors, [&](Value index, Values carried) {
        nest.indices[nest.plan.rows->loop] = index;
        return emitVectors(carried, 1);
      });
  context.border.setAtBorder(false);
  return tensors;
}

/// Blocks of rows of which those at a border have code of their own, which
/// knows the steps of each row that are outside of the image.
SmallVector<Value> WindowEmitter::emitKnownRows(const KnownSide &side,
                                                Values tensors) {
  ImageBorder &border = context.border;
  const TiledLoop &tiled = *nest.plan.rows;
  int64_t height =
      llvm::divideCeil(side.rows, llvm::divideCeil(side.rows, tiled.count));
  for (int64_t first = 0, end; first < side.rows; first = end) {
    int64_t rows = std::min(height, side.rows - first);
    end = first + rows;
    bool isOver = border.isOverBorder(side, first, rows);
    while (!isOver && end + rows <= side.rows &&
           !border.isOverBorder(side, end, rows))
      end += rows;
    if (isOver)
      border.enterBlock(side, first);
    tensors = nest.emitLoop(nest.index(first), nest.index(end), rows, tensors,
                            [&](Value index, Values carried) {
                              nest.indices[tiled.loop] = index;
                              return emitVectors(carried, rows);
                            });
    border.leaveBlock();
  }
  return tensors;
}
