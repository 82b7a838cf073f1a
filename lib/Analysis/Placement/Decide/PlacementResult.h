//===- PlacementResult.h - What a decided graph says ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_DECIDE_PLACEMENTRESULT_H
#define HETERO_ANALYSIS_PLACEMENT_DECIDE_PLACEMENTRESULT_H

#include "Analysis/Placement/Graph/Assignment.h"
#include "Analysis/Placement/Memory/MemoryModel.h"
#include "Analysis/Placement/Price/PlacementPrice.h"

namespace mlir::hetero {

/// The device of each operation, in the order of the program.
SmallVector<PlacementDecision, 0> getDecisions(const Assignment &assignment);

/// The devices of what operations carry, for each that carries something.
SmallVector<CarriedDevices, 0> getCarriedDevices(const Assignment &assignment);

/// The price with the memory that it takes, and no bound. Calls `visit` with
/// each copy.
PlacementPrice
getPlainPrice(const PlacementSolution &solution, const MemoryModel &model,
              llvm::function_ref<void(const PricedCopy &)> visit);

/// What no placement that keeps the annotations costs less than.
int64_t getLowerBound(const PlacementSolution &solution, int64_t workLimit);

/// Where the state lives that operations use.
llvm::MapVector<Operation *, DeviceAttr>
getStateDevices(const Assignment &assignment);

/// The price, and what no other can be below.
PlacementPrice getBoundedPrice(const PlacementSolution &solution,
                               const PlacementOptions &options);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_DECIDE_PLACEMENTRESULT_H
