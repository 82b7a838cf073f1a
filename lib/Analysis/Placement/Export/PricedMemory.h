//===- PricedMemory.h - A memory model as numbers ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_EXPORT_PRICEDMEMORY_H
#define HETERO_ANALYSIS_PLACEMENT_EXPORT_PRICEDMEMORY_H

#include "Analysis/Placement/Memory/MemoryModel.h"
#include "hetero/Analysis/Placement/Export/ExportedPlacement.h"

namespace mlir::hetero {

PricedMemory exportMemory(const MemoryModel &model);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_EXPORT_PRICEDMEMORY_H
