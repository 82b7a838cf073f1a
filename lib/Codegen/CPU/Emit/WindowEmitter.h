//===- WindowEmitter.h - Windows across the vectors -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_WINDOWEMITTER_H
#define HETERO_CODEGEN_CPU_EMIT_WINDOWEMITTER_H

#include "TileEmitter.h"

namespace mlir::hetero {

/// Emits the rows of windows, and in each block of them the vectors.
class WindowEmitter {
public:
  WindowEmitter(EmitContext &context, TileEmitter &tile)
      : context(context), nest(context.nest), tile(tile) {}

  Values emit(Values tensors);

private:
  Values emitVectors(Values tensors, int64_t rows);
  Values emitBorderRows(Values tensors, OpFoldResult from, OpFoldResult to);
  Values emitKnownRows(const KnownSide &side, Values tensors);

  EmitContext &context;
  LoopNest &nest;
  TileEmitter &tile;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_WINDOWEMITTER_H
