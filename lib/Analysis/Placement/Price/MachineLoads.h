//===- MachineLoads.h - How long devices and links work ------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_PRICE_MACHINELOADS_H
#define HETERO_ANALYSIS_PLACEMENT_PRICE_MACHINELOADS_H

#include "PlacementPrice.h"

namespace mlir::hetero {

/// The price with the loads of devices and links where all nodes are decided.
/// Copies stand where the sum of times is the least. A value that goes to
/// several devices over the same link crosses it once for each block where
/// copies of it stand.
PlacementPrice computeLoads(const Assignment &assignment);

int64_t getLargest(const MachineLoads &loads);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PRICE_MACHINELOADS_H
