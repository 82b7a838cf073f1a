//===- LoopEmitter.h - Emits loops over vectors -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_LOOPEMITTER_H
#define HETERO_CODEGEN_CPU_EMIT_LOOPEMITTER_H

#include "Codegen/CPU/Emit/Operands/SumsInMemory.h"
#include "LaneEmitter.h"
#include "TileEmitter.h"

namespace mlir::hetero {

/// Emits the loops of one operation as its plan says.
class LoopEmitter {
public:
  LoopEmitter(RewriterBase &rewriter, linalg::GenericOp op,
              const VectorPlan &plan)
      : context(rewriter, op, plan), nest(context.nest),
        tile(context, /*epilogue=*/nullptr), lanes(context) {}
  /// What is computed goes through the epilogue. Everything is emitted before
  /// that, and the results are the epilogue's.
  LoopEmitter(RewriterBase &rewriter, const Epilogue &epilogue)
      : context(rewriter, epilogue.contraction, epilogue.plan),
        nest(context.nest), tile(context, &epilogue), lanes(context) {}

  /// Emits everything before the operation and returns its results' values.
  Values emit();

private:
  Values emitParallel(ArrayRef<unsigned> loops, Values tensors);
  Values emitBlocks(Values tensors);
  Values addSteps(Value first, int64_t steps, Values accumulators,
                  ArrayRef<Cell> cells);
  Values emitPasses(Values tensors);
  Values emitBlockedPasses(Values tensors);
  Values emitLaneRows(Values tensors);
  Values emitRows(Values tensors, const TileShape &shape);

  EmitContext context;
  LoopNest &nest;
  TileEmitter tile;
  LaneEmitter lanes;
  SumsInMemory wide{nest, context.sums};
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_LOOPEMITTER_H
