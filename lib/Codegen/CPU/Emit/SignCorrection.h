//===- SignCorrection.h - Sums of operands with equal signs -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_SIGNCORRECTION_H
#define HETERO_CODEGEN_CPU_EMIT_SIGNCORRECTION_H

#include "Codegen/CPU/Emit/Operands/EmitContext.h"

namespace mlir::hetero {

/// Takes from sums of products what they have too much, or adds what they lack,
/// because one operand has been flipped. Nothing where none has.
class SignCorrection {
public:
  explicit SignCorrection(EmitContext &context)
      : context(context), nest(context.nest) {}

  /// Corrects the sums of a register tile.
  Values correctTile(Values accumulators, ArrayRef<Cell> cells);
  /// Corrects the first lanes of each element of the result, which are added up
  /// later.
  Values correctLanes(Values accumulators, const TileShape &tile);

private:
  OpOperand *findOther();
  Value addSteps(OpOperand *input, const Cell &cell, Value mask, Value sums);
  Values sumSteps(OpOperand *input, ArrayRef<Cell> cells);
  Value correct(Value sums, Value steps);

  EmitContext &context;
  LoopNest &nest;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_SIGNCORRECTION_H
