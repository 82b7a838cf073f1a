//===- SumPlan.h - Long sums in blocks --------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum of n numbers of f32, added one after the other, may be wrong by n units
// in the last place. So a long one is added in blocks, and the sums of the
// blocks in f64, which makes the error that of one block.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_SUMPLAN_H
#define HETERO_CODEGEN_CPU_PLAN_SUMPLAN_H

#include "VectorPlan.h"

namespace mlir::hetero {

/// True if result `result` is a sum of f32 whose blocks are added in f64.
bool isBlockedSum(linalg::GenericOp op, unsigned result);

/// The results that are sums of f32, long or of a length that is not known, of
/// which the plan, if there is one, makes no blocks.
SmallVector<unsigned> findSerialSums(linalg::GenericOp op,
                                     const std::optional<VectorPlan> &plan);

/// Chooses the loop of which some steps are a block, if the operation has sums
/// that are long, or that may be. The rest of the plan is made.
void planSumBlocks(linalg::GenericOp op, VectorPlan &plan);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_SUMPLAN_H
