//===- RegisterPlan.h - What is held in registers ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_REGISTERPLAN_H
#define HETERO_CODEGEN_CPU_PLAN_REGISTERPLAN_H

#include "VectorPlan.h"

namespace mlir::hetero {

/// Chooses how many rows and vectors the registers hold.
void planRegisters(linalg::GenericOp op, const CPUTarget &target,
                   VectorPlan &plan);

/// Without rows that share it, memory is read once, and fastest in its order:
/// some rows at a time from their beginnings to their ends.
void planPasses(linalg::GenericOp op, const CPUTarget &target,
                VectorPlan &plan);

/// Of a small image with many filters, all rows of pixels go through a block of
/// filters before the next block: the filters are read once.
void planInnerLoop(linalg::GenericOp op, VectorPlan &plan);

/// Where the image is one vector wide, the register tile takes in some of its
/// rows: a filter is then loaded once for all of them.
void planInnerTile(linalg::GenericOp op, const CPUTarget &target,
                   VectorPlan &plan);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_REGISTERPLAN_H
