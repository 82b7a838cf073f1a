//===- BuildMemory.h - A memory model as numbers ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_BUILDMEMORY_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_BUILDMEMORY_H

#include "MemoryModel.h"
#include "hetero/Placement/PlacementProblem.h"

namespace mlir::hetero {

/// The memory of the problem of the model's graph.
ProblemMemory buildMemory(const MemoryModel &model);

/// The problem of the model's graph, with its memory.
PlacementProblem buildLimitedProblem(const MemoryModel &model);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_BUILDMEMORY_H
