//===- LoopSteps.h - How operands move along loops --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_LOOPSTEPS_H
#define HETERO_CODEGEN_GPU_PLAN_LOOPSTEPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::hetero {

/// How far a result of the map moves per step of `loop`; none if that differs
/// from step to step.
std::optional<int64_t> getCoefficient(AffineMap map, AffineExpr result,
                                      unsigned loop);

/// The change of the operand's position, in elements, per step of `loop`; none
/// if it is not known.
std::optional<int64_t> getStaticStep(linalg::LinalgOp op, OpOperand &operand,
                                     unsigned loop);

/// The iterations of the loops together; none if a size is not known.
std::optional<int64_t> countStatically(linalg::LinalgOp op,
                                       ArrayRef<unsigned> loops);

/// True if the operand's elements along `loop` are next to each other.
bool isContiguousAlong(linalg::LinalgOp op, OpOperand &operand, unsigned loop);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_LOOPSTEPS_H
