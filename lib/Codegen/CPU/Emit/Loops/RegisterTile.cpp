//===- RegisterTile.cpp - What an innermost body computes -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterTile.h"

using namespace mlir;
using namespace mlir::hetero;

SmallVector<Cell> mlir::hetero::getCells(const TileShape &shape) {
  SmallVector<Cell> cells;
  for (int64_t row = 0; row < shape.rows; ++row)
    for (int64_t vector = 0; vector < shape.vectors; ++vector)
      for (int64_t inner = 0; inner < shape.inner; ++inner)
        cells.push_back({row, vector, shape.lanes, shape.mask, inner});
  return cells;
}
