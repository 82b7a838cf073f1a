//===- LoopNest.h - The loops around the insertion point --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_LOOPS_LOOPNEST_H
#define HETERO_CODEGEN_CPU_EMIT_LOOPS_LOOPNEST_H

#include "Codegen/CPU/Plan/VectorPlan.h"
#include "RegisterTile.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::hetero {

/// The body of a loop, for its induction variable and what it carries.
using LoopBodyFn = llvm::function_ref<Values(Value, Values)>;

/// What everything that is emitted for one operation shares: the operation, how
/// it is vectorized, and where the loops are that have been emitted so far.
struct LoopNest {
  LoopNest(RewriterBase &rewriter, linalg::GenericOp op,
           const VectorPlan &plan);

  RewriterBase &rewriter;
  linalg::GenericOp op;
  const VectorPlan plan;
  const Location loc;
  /// Of each loop, how many iterations it has and which one it is in.
  SmallVector<OpFoldResult> sizes, indices;
  /// Those that are neither of the vectors nor of the register tile.
  SmallVector<unsigned> parallelLoops, reductionLoops;
  /// The first of the steps of the outermost reduction that are done now.
  OpFoldResult firstStep;
  /// Rows of the current register tile.
  int64_t tileRows = 1;

  /// A loop from `lower` to `upper`; none where the bounds are known to allow
  /// at most one iteration.
  Values emitLoop(OpFoldResult lower, OpFoldResult upper, int64_t step,
                  Values carried, LoopBodyFn body);

  // Numbers.
  AffineExpr symbol(unsigned position) const;
  OpFoldResult index(int64_t value) const;
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> values);
  Value createIndex(OpFoldResult value);
  OpFoldResult roundDown(OpFoldResult size, int64_t step);
  /// A value between the bounds, of which `upper` is no smaller than `lower`.
  OpFoldResult clamp(OpFoldResult value, OpFoldResult lower,
                     OpFoldResult upper);

  // Steps of a reduction that are done now: of a loop of which all rows do a
  // part before the next, those of the part.
  bool isSplit(unsigned loop) const;
  OpFoldResult getFirstStep(unsigned loop) const;
  OpFoldResult getStepsEnd(unsigned loop);
  OpFoldResult countSteps(unsigned loop) const;

  // Places.
  /// True if the place of an operand depends on a loop, if there is one.
  bool isAlong(OpOperand *operand, std::optional<unsigned> loop) const;
  /// Position of a cell's lane in a loop.
  OpFoldResult getIndex(unsigned loop, const Cell &cell, int64_t lane = 0);
  /// Where a cell's lane is in an operand.
  SmallVector<OpFoldResult> getPlace(OpOperand *operand, const Cell &cell,
                                     int64_t lane = 0);
  Values getIndices(OpOperand *operand, const Cell &cell, int64_t lane = 0);
  /// The place of a lane along the vectors. Lanes past the end have the last
  /// one: what becomes of it is not stored.
  OpFoldResult getLanePlace(OpFoldResult first, int64_t lane, bool isMasked);
  /// What `read` returns for each lane of a cell, when the vectors' loop is at
  /// the place of the lane. Gives `read` the cell of the first lane there.
  Values readLanes(const Cell &cell,
                   llvm::function_ref<Value(const Cell &)> read);

  // Vectors.
  Value createZero(Type type);
  Value broadcast(Value value, int64_t lanes);
  Value bitcast(Value vector, int64_t count, Type element);
  Value readVector(VectorType type, Value source, ValueRange place,
                   Value mask = {});
  Value writeVector(Value vector, Value tensor, ValueRange place,
                    Value mask = {});
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_LOOPS_LOOPNEST_H
