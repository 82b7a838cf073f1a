//===- FlowProof.h - A flow that bounds the sum of times ------ -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The network has two sides: the host, and all other devices as one, on which
// everything takes what it takes on the best of them, and between which copies
// are free. A placement is a cut that is no dearer than its price, and a flow
// is no more than any cut. With two devices the least cut is the least price.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_EXPORT_FLOWPROOF_H
#define HETERO_ANALYSIS_PLACEMENT_EXPORT_FLOWPROOF_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

struct FlowProof {
  int64_t bound;
  /// By edge of the network, which is made in the same order by whoever checks
  /// it.
  SmallVector<int64_t, 0> flows;
};

/// A flow for what is open in the graph.
FlowProof findFlowProof(const Assignment &decided);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_EXPORT_FLOWPROOF_H
