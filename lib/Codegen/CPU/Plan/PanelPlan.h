//===- PanelPlan.h - What rows read from panels -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_PANELPLAN_H
#define HETERO_CODEGEN_CPU_PLAN_PANELPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::hetero {

struct VectorPlan;

/// Inputs that all rows read, in the order in which the rows read them.
struct PanelPlan {
  /// The part that a block of vectors needs is copied first.
  SmallVector<unsigned> packed;
  /// Those of them that are transposed: their panels are made of blocks, not
  /// vector by vector.
  SmallVector<unsigned> transposed;
  /// Rows below which sums along lanes would be better than that.
  std::optional<int64_t> leastRows;
  /// Inputs that are constants of the program: the compiler makes the panels.
  SmallVector<unsigned> prepared;
  /// Steps of the outermost reduction loop that all rows do before the next are
  /// done, so that their part of the panels stays in the second-level cache.
  /// The results are in memory in between. None: all.
  std::optional<int64_t> depth;
};

/// True if reading `operand` where it is costs more than a copy: the rows that
/// steps of the reduction read are far apart in more memory than the nearer
/// caches hold, or vectors are not contiguous.
bool isWorthPacking(linalg::GenericOp op, OpOperand *operand,
                    const VectorPlan &plan, int64_t least);

/// Constants are laid out as the vectors read them, whoever shares them.
void planConstants(linalg::GenericOp op, VectorPlan &plan);

/// Chooses the inputs that are packed.
void planPacking(linalg::GenericOp op, VectorPlan &plan);

/// Of a long reduction, whose panel the second-level cache does not hold, all
/// rows do a part before the next.
void planDepth(linalg::GenericOp op, VectorPlan &plan);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_PANELPLAN_H
