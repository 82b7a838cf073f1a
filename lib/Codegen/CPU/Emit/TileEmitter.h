//===- TileEmitter.h - Emits the register tile of an operation --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_TILEEMITTER_H
#define HETERO_CODEGEN_CPU_EMIT_TILEEMITTER_H

#include "EpilogueEmitter.h"
#include "Prefetcher.h"
#include "SignCorrection.h"

namespace mlir::hetero {

/// Emits register tiles: accumulators are loaded, added to in each step of the
/// reduction, and stored or taken through an epilogue.
class TileEmitter {
public:
  /// `epilogue` is null for none.
  TileEmitter(EmitContext &context, const Epilogue *epilogue);

  /// Computes one register tile and writes it.
  Values emit(Values tensors, const TileShape &shape);
  /// Computes the first block of rows and fills the panels.
  Values emitPacking(Values tensors, TileShape shape);

  /// What the cells start from: null where nothing reads it.
  Values load(Values tensors, ArrayRef<Cell> cells);
  /// One step of every accumulator of the tile: cells in order, for each the
  /// results in order. What is loaded already is not loaded again.
  Values accumulate(Values accumulators, ArrayRef<Cell> cells);
  Values store(Values accumulators, Values tensors, ArrayRef<Cell> cells);

private:
  void accumulateCell(Values &accumulators, size_t index, const Cell &cell);
  Values accumulateWindow(Values accumulators, ArrayRef<Cell> cells);

  EmitContext &context;
  LoopNest &nest;
  BodyEmitter body;
  SignCorrection correction;
  Prefetcher prefetcher;
  std::optional<EpilogueEmitter> epilogue;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_TILEEMITTER_H
