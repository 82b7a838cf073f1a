//===- TransposePlan.h - Products with transposed operands ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a product whose second operand is transposed, as weights often are, both
// operands have their elements next to each other along the reduction only:
//
//   sums[m, n] += A[m, k] * B[n, k]
//
// Many rows share panels of B, of which blocks are transposed; a few sum up
// along lanes. Decides which. Changes no IR.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_TRANSPOSEPLAN_H
#define HETERO_CODEGEN_CPU_PLAN_TRANSPOSEPLAN_H

#include "VectorPlan.h"

namespace mlir::hetero {

bool hasFewRows(linalg::GenericOp op);

/// The reduction loop along which `operand`, scattered along `vectorLoop`, has
/// its elements next to each other, so that blocks of panels are transposed;
/// -1 for none.
std::optional<unsigned> findTransposedLoop(linalg::GenericOp op,
                                           OpOperand *operand,
                                           unsigned vectorLoop);

/// Lets the plan, which has a vector loop and nothing else yet, have vectors
/// along another loop if enough rows share panels of what is transposed there.
void planTransposedPanels(linalg::GenericOp op, const CPUTarget &target,
                          VectorPlan &plan);

/// Lets the plan, which sums up along lanes with rows that share an input, take
/// iterations of another loop into its register tile that share the other one.
void planLaneTile(linalg::GenericOp op, const CPUTarget &target,
                  VectorPlan &plan);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_TRANSPOSEPLAN_H
