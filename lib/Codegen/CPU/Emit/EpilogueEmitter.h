//===- EpilogueEmitter.h - Register tiles through an epilogue ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_EPILOGUEEMITTER_H
#define HETERO_CODEGEN_CPU_EMIT_EPILOGUEEMITTER_H

#include "BodyEmitter.h"
#include "Codegen/CPU/Plan/Epilogue.h"

namespace mlir::hetero {

/// Emits what each register tile of a contraction goes through before the next.
class EpilogueEmitter {
public:
  /// Everything is emitted before the epilogue, and the results are its own.
  EpilogueEmitter(EmitContext &of, const Epilogue &epilogue);

  /// Asks for what the epilogue reads of each row. The sums take longer than
  /// the memory.
  void prefetch(ArrayRef<Cell> cells);
  /// What the accumulators become is stored in their place.
  Values store(Values accumulators, Values tensors, ArrayRef<Cell> cells);

private:
  void enter();
  Value emitCell(Value value, Value tensor, const Cell &cell);
  Values emitRow(Value row, Values tensors, ArrayRef<Cell> cells);

  /// The contraction.
  EmitContext &of;
  const Epilogue epilogue;
  EmitContext own;
  BodyEmitter body;
  /// Inputs of which the register tile's rows are asked for.
  llvm::MapVector<unsigned, Value> prefetched;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_EPILOGUEEMITTER_H
