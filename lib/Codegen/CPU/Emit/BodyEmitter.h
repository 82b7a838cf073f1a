//===- BodyEmitter.h - Emits the body of an operation -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_BODYEMITTER_H
#define HETERO_CODEGEN_CPU_EMIT_BODYEMITTER_H

#include "Codegen/CPU/Emit/Operands/EmitContext.h"

namespace mlir::hetero {

/// Emits what the operation computes for one cell.
class BodyEmitter {
public:
  explicit BodyEmitter(EmitContext &context)
      : context(context), nest(context.nest) {}

  /// The values that the body yields. Those that are the same in all lanes stay
  /// scalars.
  Values emit(const Cell &cell, ArrayRef<Value> accumulators);

private:
  using ValueMap = llvm::DenseMap<Value, Value>;

  Value emitDot(const Cell &cell, Value sums);
  Value emitIndex(linalg::IndexOp index, const Cell &cell);
  Value emitOperation(Operation *inner, const Cell &cell, ValueMap &values);

  EmitContext &context;
  LoopNest &nest;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_BODYEMITTER_H
