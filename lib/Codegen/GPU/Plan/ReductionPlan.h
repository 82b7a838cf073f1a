//===- ReductionPlan.h - How a block reduces --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether the threads of a block share a reduction, and which loop runs
// over the lanes of a warp, so that they access elements next to each other.
// Changes no IR.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_REDUCTIONPLAN_H
#define HETERO_CODEGEN_GPU_PLAN_REDUCTIONPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::hetero {

struct ReductionPlan {
  /// The operation of the body that adds an element to the accumulator.
  Operation *combiner = nullptr;
  /// Its neutral element.
  TypedAttr neutral;
  /// The lanes of a warp run along the results, each with its own, and the
  /// warps share the reduction. Else all threads share the reduction of one
  /// result.
  bool lanesAlongResults = false;
  /// Warps per block.
  int64_t warps = 1;
  /// So many blocks share the reduction of one result. What they reduce is
  /// reduced by another kernel.
  int64_t parts = 1;
  /// The loops, in groups that all operands walk as one; the last one is along
  /// the lanes where its kind is.
  SmallVector<SmallVector<unsigned>> parallel, reductions;
};

/// The operation that adds an element to the accumulator; null if the body is
/// no such reduction, or if shuffles do not move its values.
Operation *findCombiner(linalg::LinalgOp op);

/// The plan for `op`, or none where a thread per result is as good or the order
/// of the reduction matters.
std::optional<ReductionPlan> planReduction(linalg::LinalgOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_REDUCTIONPLAN_H
