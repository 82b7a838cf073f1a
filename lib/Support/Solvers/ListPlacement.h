//===- ListPlacement.h - Placements by list scheduling -------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_LISTPLACEMENT_H
#define HETERO_SUPPORT_SOLVERS_LISTPLACEMENT_H

#include "LatencyTimeline.h"

namespace mlir::hetero {

/// How a list schedule chooses among devices.
enum class ListRule {
  /// Where the item ends first: HEFT (Topcuoglu, Hariri and Wu, "Performance-
  /// Effective and Low-Complexity Task Scheduling for Heterogeneous Computing",
  /// IEEE TPDS 13(3), 2002).
  EarliestEnd,
  /// Where it and the fastest way from it to the end are through first: PEFT
  /// (Arabnejad and Barbosa, "List Scheduling Algorithm for Heterogeneous
  /// Systems by an Optimistic Cost Table", IEEE TPDS 25(3), 2014).
  EarliestWay
};

/// Places items in the order of their ranks, within the budgets as long as some
/// device has room.
LatencySolution placeByList(const LatencyNetwork &network, ListRule rule);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_LISTPLACEMENT_H
