//===- NetworkTraffic.h - What crosses between nodes ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_PRICE_NETWORKTRAFFIC_H
#define HETERO_ANALYSIS_PLACEMENT_PRICE_NETWORKTRAFFIC_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// What crosses the network between nodes where all of the program is decided.
SmallVector<NodeTraffic, 0> countNetworkTraffic(const Assignment &assignment);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PRICE_NETWORKTRAFFIC_H
