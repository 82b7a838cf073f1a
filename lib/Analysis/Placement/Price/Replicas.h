//===- Replicas.h - Who needs what is made again ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_PRICE_REPLICAS_H
#define HETERO_ANALYSIS_PLACEMENT_PRICE_REPLICAS_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// How many need each replica: at node * devices + device.
using ReplicaCounts = SmallVector<unsigned, 0>;

/// Counts who needs replicas of what is replicable, given the devices of
/// everything else.
ReplicaCounts countReplicas(const Assignment &assignment);

/// Gives every replicable node that has no device one that needs it, the host
/// first.
void placeReplicas(Assignment &assignment);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PRICE_REPLICAS_H
