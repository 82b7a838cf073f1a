//===- TimeShares.h - Measured times of operations --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_TARGET_TIMESHARES_H
#define HETERO_LIB_TARGET_TIMESHARES_H

#include "PlacementView.h"
#include "hetero/Target/NodeTimes.h"

namespace mlir::hetero {

/// What an operation took of the measured times.
struct TimeShare {
  /// None where nothing was measured of it.
  std::optional<double> seconds;
  /// Whether it shares none of that with other operations.
  bool isAlone = true;
};

/// For each node of the view its share: pieces that work for several operations
/// are divided as the cost model has it.
std::vector<TimeShare> divideTimes(const PlacementView &view,
                                   ArrayRef<NodeTime> times);

} // namespace mlir::hetero

#endif // HETERO_LIB_TARGET_TIMESHARES_H
