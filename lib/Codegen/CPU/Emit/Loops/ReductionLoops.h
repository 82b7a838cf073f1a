//===- ReductionLoops.h - Loops of sums -------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_LOOPS_REDUCTIONLOOPS_H
#define HETERO_CODEGEN_CPU_EMIT_LOOPS_REDUCTIONLOOPS_H

#include "ImageBorder.h"
#include "StepGroups.h"

namespace mlir::hetero {

/// The loops of a reduction. Steps whose windows are outside of an image are
/// left out, or are loops of their own.
class ReductionLoops {
public:
  using BodyFn = llvm::function_ref<Values(Values)>;

  ReductionLoops(LoopNest &nest, ImageBorder &border, BlockedSums &sums,
                 StepGroups &groups)
      : nest(nest), border(border), sums(sums), groups(groups) {}

  /// Nested loops over `loops`, the first outermost.
  Values emit(ArrayRef<unsigned> loops, Values carried, BodyFn body);
  /// Those of the accumulators of the operation, which are wide before and
  /// after them if they are added up in blocks.
  Values emitSums(Values accumulators, BodyFn body);

  /// Steps of a window that are all in the current body; empty if that is in
  /// the loop.
  ArrayRef<int64_t> getWindowSteps() const { return windowSteps; }
  /// False if the current steps are in the border for this row of the tile.
  bool isInside(int64_t row) const;

private:
  Values emitSideSteps(const WindowSide &side, Values carried, BodyFn body);
  Values emitPixelSteps(const WindowSide &side, Values carried, BodyFn body);
  Values emitSteps(unsigned loop, OpFoldResult from, OpFoldResult to,
                   Values carried, BodyFn body);

  LoopNest &nest;
  ImageBorder &border;
  BlockedSums &sums;
  StepGroups &groups;
  SmallVector<int64_t> windowSteps;
  /// Rows that the current steps are not in the border for; all if there are
  /// none.
  SmallVector<int64_t> insideRows;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_LOOPS_REDUCTIONLOOPS_H
