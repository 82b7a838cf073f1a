//===- RegisterTile.h - What an innermost body computes ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_LOOPS_REGISTERTILE_H
#define HETERO_CODEGEN_CPU_EMIT_LOOPS_REGISTERTILE_H

#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::hetero {

/// What loops carry: tensors, or accumulators.
using Values = SmallVector<Value>;

/// Shape of the register tile of an innermost body.
struct TileShape {
  int64_t rows = 1;
  int64_t vectors = 1;
  int64_t lanes = 1;
  Value mask;
  /// Iterations of the inner loop.
  int64_t inner = 1;
};

/// One vector (or scalar) of the register tile.
struct Cell {
  int64_t row = 0;
  int64_t vector = 0;
  int64_t lanes = 1;
  Value mask;
  int64_t inner = 0;
};

/// The cells of a tile, those of a row next to each other.
SmallVector<Cell> getCells(const TileShape &shape);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_LOOPS_REGISTERTILE_H
