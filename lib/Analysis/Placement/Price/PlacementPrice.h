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

/// The price where all nodes are decided.
PlacementPrice computePrice(const Assignment &assignment);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PRICE_PLACEMENTPRICE_H
