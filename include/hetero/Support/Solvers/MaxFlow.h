//===- MaxFlow.h - Minimum cut of a flow network ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_MAXFLOW_H
#define HETERO_SUPPORT_SOLVERS_MAXFLOW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::hetero {

/// One edge of a flow network in each direction. What has this capacity or more
/// is never cut.
struct FlowEdge {
  static constexpr int64_t kInfinite = int64_t(1) << 58;
  unsigned from, to;
  int64_t capacity, reverse;
};

struct MinimumCut {
  /// By vertex: on the side of the sink.
  llvm::SmallVector<uint8_t, 0> isSink;
  /// What the cut may be above the minimum; 0 for a minimum cut.
  int64_t gap = 0;
};

/// A minimum cut, with the smallest side of the sink there is: the vertices
/// that reach the sink in the residual graph of a maximum flow.
/// `terminals[v]` > 0 is the capacity from the source, < 0 that to the sink.
/// After `maxWork` looks at an edge it stops with the best cut it can tell; 0
/// is no limit.
MinimumCut findMinimumCut(llvm::ArrayRef<int64_t> terminals,
                          llvm::ArrayRef<FlowEdge> edges, uint64_t maxWork = 0);

/// What flows along each edge, the reverse counting as negative, where the
/// minimum cut is full. Not all that enters a vertex has to leave it.
llvm::SmallVector<int64_t, 0> findMaximumFlow(llvm::ArrayRef<int64_t> terminals,
                                              llvm::ArrayRef<FlowEdge> edges);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_MAXFLOW_H
