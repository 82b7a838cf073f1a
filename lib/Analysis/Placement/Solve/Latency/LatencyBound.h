//===- LatencyBound.h - What no placement is faster than ------ -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proofs that no placement of what is open, and no schedule of it, ends before
// the bound. scripts/check-certificate computes the same from the problem:
//
// - Path: of each segment, the way on which every operation stands where that
// is
//   the fastest, what it reads and copies that it then needs included.
// - Loads: some device or link has more work than that (LoadBound). Work of one
//   engine does not overlap, so that the largest load is no more than the time.
// - Enumeration: of each of a few placements, what its engines need by
// themselves.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_LATENCY_LATENCYBOUND_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_LATENCY_LATENCYBOUND_H

#include "Analysis/Placement/Graph/MergedGroups.h"
#include "Analysis/Placement/Graph/ProgramSegments.h"

namespace mlir::hetero {

struct LatencyProof {
  enum class Kind : uint8_t { Path, Loads, Enumeration };
  Kind kind = Kind::Path;
  int64_t bound = 0;
};

/// The best bound on the placements of what is open in the graph of `decided`,
/// a placement that takes `cost`.
LatencyProof proveLatency(const Assignment &decided, const MergedGroups &merged,
                          const ProgramSegments &segments, int64_t cost);

/// The longest way with each operation where it ends the earliest.
int64_t boundPath(const Assignment &decided, const ProgramSegments &segments);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_LATENCY_LATENCYBOUND_H
