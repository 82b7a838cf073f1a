//===- LatencyTasks.h - Work and copies in segments ----------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long a placed program takes if devices and links work at the same time:
// the work of each segment is scheduled as hetero-schedule does (the same
// engines, the same solver), and the segments follow each other, each as often
// as it runs.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_PRICE_LATENCYTASKS_H
#define HETERO_ANALYSIS_PLACEMENT_PRICE_LATENCYTASKS_H

#include "Analysis/Placement/Graph/ProgramSegments.h"
#include "PlacementPrice.h"
#include "hetero/Support/Solvers/EngineSchedule.h"

namespace mlir::hetero {

/// An operation on a device, or a copy over one link.
struct LatencyTask {
  /// kNone for a copy.
  NodeIndex node;
  /// What is copied; kNone for an operation.
  ValueIndex value;
  /// The ends of the link; of an operation both are its device.
  DeviceIndex from, to;
  /// Where a copy stands, and what of its value it is of; kNone for all of it.
  BlockIndex block = 0;
  unsigned partialRead = kNone;
  /// Where the copy ends that this is a part of, and the number of the part.
  DeviceIndex target = 0;
  unsigned hop = 0;

  /// Operations by node and device; then copies by value, part of it (-1 for
  /// all), block, target and hop.
  std::tuple<unsigned, unsigned, int64_t, BlockIndex, DeviceIndex, unsigned>
  getKey() const {
    if (node != kNone)
      return {0, node, to, 0, 0, 0};
    return {1,     value,  partialRead == kNone ? -1 : int64_t(partialRead),
            block, target, hop};
  }
};

/// What is scheduled together. Work needs only work before it in the list; that
/// of the host is in its order.
struct LatencySegment {
  SmallVector<LatencyTask, 0> tasks;
  /// Of the same numbers. Times are those of all executions.
  SmallVector<EngineTask, 0> work;
};

struct LatencyTasks {
  SmallVector<LatencySegment, 0> segments;
  /// The sum of all times; INT64_MAX if some value has no way to where it is
  /// needed, or if that is not a number any more: then there are no tasks.
  int64_t sum = 0;

  bool isPossible() const { return sum != INT64_MAX; }
  /// Until all segments have ended; INT64_MAX if that is not possible.
  int64_t schedule(ScheduleEffort effort) const;
  /// What no schedules of these tasks end before.
  int64_t getBound() const;
};

/// The tasks where all nodes are decided. A copy over several links crosses one
/// after the other; links that another copy of the value in the block has
/// crossed are not crossed again.
LatencyTasks collectTasks(const Assignment &assignment,
                          const ProgramSegments &segments);

/// How long a placement takes, by schedules that are looked for with all
/// effort.
int64_t computeLatency(const Assignment &assignment,
                       const ProgramSegments &segments);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PRICE_LATENCYTASKS_H
