//===- PlaceForLatency.h - Places for one request ------------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_LATENCY_PLACEFORLATENCY_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_LATENCY_PLACEFORLATENCY_H

#include "Analysis/Placement/Graph/MergedGroups.h"
#include "Analysis/Placement/Graph/ProgramSegments.h"

namespace mlir::hetero {

/// A placement for latency that has to fit somewhere.
struct LatencyLimits {
  /// Whether a placement does.
  std::function<bool(const Assignment &)> fits;
  /// How much the constants that operations of each device read may take, which
  /// is what the search goes by.
  std::function<SmallVector<int64_t>(ArrayRef<int64_t> weights)> getBudgets;
  /// Some that do.
  SmallVector<Assignment, 0> known;
};

/// Decides what is open so that one request is through early, when devices and
/// links work at the same time: never later than with all of it on one device
/// (that fits). Operations are made once, but for what is replicated from the
/// start. Nothing if nothing that was looked at fits.
std::optional<Assignment>
placeForLatency(const Assignment &open, const MergedGroups &merged,
                int64_t workLimit, const LatencyLimits *limits = nullptr);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_LATENCY_PLACEFORLATENCY_H
