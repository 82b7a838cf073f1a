//===- PricedSolution.h - A placement as numbers ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_EXPORT_PRICEDSOLUTION_H
#define HETERO_ANALYSIS_PLACEMENT_EXPORT_PRICEDSOLUTION_H

#include "Analysis/Placement/Graph/Assignment.h"
#include "Analysis/Placement/Memory/MemoryModel.h"
#include "hetero/Analysis/Placement/Export/ExportedPlacement.h"

namespace mlir::hetero {

/// What the nodes were decided to, with the copies and the memory; no bound.
PricedSolution exportSolution(const PlacementSolution &solution,
                              const MemoryModel &memory);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_EXPORT_PRICEDSOLUTION_H
