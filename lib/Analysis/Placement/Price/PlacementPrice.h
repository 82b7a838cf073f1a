//===- PlacementPrice.h - What a placement costs ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_PRICE_PLACEMENTPRICE_H
#define HETERO_ANALYSIS_PLACEMENT_PRICE_PLACEMENTPRICE_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// "sum", "latency", "throughput".
StringRef getObjectiveName(PlacementObjective objective);

/// One copy of a value, or of the part that a host operation reads.
struct PricedCopy {
  ValueIndex value;
  DeviceIndex from, to;
  /// Where it stands.
  BlockIndex block;
  int64_t bytes;
  /// Picoseconds, of all executions.
  int64_t time;
  bool isPartial = false;
  /// Of what the host reads in part.
  unsigned partialRead = kNone;
};

/// The price where all nodes are decided. Calls `visit` with each copy.
PlacementPrice computePrice(
    const Assignment &assignment,
    llvm::function_ref<void(const PricedCopy &)> visit =
        [](const PricedCopy &) {});

/// The same, with the copies of constants that are streamed.
PlacementPrice computePrice(
    const PlacementSolution &solution,
    llvm::function_ref<void(const PricedCopy &)> visit =
        [](const PricedCopy &) {});

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PRICE_PLACEMENTPRICE_H
