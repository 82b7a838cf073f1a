//===- CollapseLoops.h - Loops that all operands walk as one ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_COLLAPSELOOPS_H
#define HETERO_CODEGEN_GPU_PLAN_COLLAPSELOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// Loops that an operand walks as one, the last of which stands for them.
using LoopGroups = SmallVector<SmallVector<unsigned>>;

/// The parallel loops, the one along the fastest dimension of the first result
/// last.
SmallVector<unsigned> orderParallelLoops(linalg::LinalgOp op);

/// Splits loops, the outermost first, into groups of which each is one loop for
/// all operands: a point with the position in the group along its last loop,
/// and zero along the others, has the addresses of the point that is meant.
/// Loops of one iteration are in no group.
LoopGroups collapseLoops(linalg::LinalgOp op, ArrayRef<unsigned> order);

/// True if all groups together are one loop for this operand, so that it needs
/// the linear position only.
bool walksAsOneLoop(linalg::LinalgOp op, OpOperand &operand,
                    ArrayRef<SmallVector<unsigned>> groups);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_COLLAPSELOOPS_H
