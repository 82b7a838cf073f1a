//===- PanelPacker.h - Copies what all rows of a block read -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_PANELPACKER_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_PANELPACKER_H

#include "EmitContext.h"

namespace mlir::hetero {

/// Fills the panels of packed inputs.
class PanelPacker {
public:
  explicit PanelPacker(EmitContext &context)
      : context(context), nest(context.nest) {}

  /// The panel of an input for a block of vectors.
  Value pack(OpOperand *input, const TileShape &shape);
  /// Copies vector by vector.
  Value packBySteps(OpOperand *input, Value panel, const TileShape &shape);
  /// Copies the vectors of one step of the reduction. The loads stay known.
  Value storeStep(OpOperand *input, Value panel, const TileShape &shape);

  /// True if the first block of rows can copy what it reads: it is there, and
  /// goes through all of the panel once.
  bool canPackWithRows() const;

private:
  EmitContext &context;
  LoopNest &nest;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_PANELPACKER_H
