//===- LatencySearch.h - Places work that overlaps ------------ -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Items are placed on devices so that the last of them ends early, when devices
// and the links between them work at the same time. An item needs values where
// it is; a value that is made elsewhere is copied there once, from where it is
// made.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_LATENCYSEARCH_H
#define HETERO_SUPPORT_SOLVERS_LATENCYSEARCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::hetero {

struct LatencyItem {
  /// Items of one segment are next to each other; nothing of a segment starts
  /// before all of the one before has ended.
  unsigned segment = 0;
  /// What it needs, and what it makes.
  llvm::SmallVector<unsigned, 4> reads = {};
  llvm::SmallVector<unsigned, 1> results = {};
  /// Bytes that are on its device for all of the program.
  int64_t weight = 0;
};

struct LatencyValue {
  static constexpr unsigned kGiven = ~0u, kMadeAgain = ~1u;

  /// The item that makes it; kGiven if it is on `device` from the start, and
  /// kMadeAgain for what is made on each device that needs it.
  unsigned producer = kGiven;
  unsigned device = 0;
  /// The first of its costs: times by from * devices + to; of what is made
  /// again times by device.
  unsigned costs = 0;
  /// Devices that need it in any case, and units that do where they are, though
  /// nothing waits for it.
  llvm::SmallVector<unsigned, 1> needed = {}, neededBy = {};
};

/// Items are in an order in which each comes after those that it needs.
struct LatencyProblem {
  static constexpr int64_t kNever = INT64_MAX;

  unsigned numDevices = 0;
  /// The engines that a copy over one link takes, at from * devices + to. That
  /// of device d which computes is d.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 0> engines = {};
  unsigned numEngines = 0;
  /// By device: whether it does one thing after the other, in the order of the
  /// items.
  llvm::SmallVector<bool> keepsOrder = {};
  /// Devices on the way, the last included, at from * devices + to; none where
  /// there is no way.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 0> routes = {};
  /// Items that stand on one device are of one unit; by item.
  llvm::SmallVector<unsigned, 0> units = {};
  llvm::SmallVector<LatencyItem, 0> items = {};
  /// By item * devices + device; kNever where it cannot be.
  llvm::SmallVector<int64_t, 0> times = {};
  llvm::SmallVector<LatencyValue, 0> values = {};
  llvm::SmallVector<int64_t, 0> costs = {};
  /// By device: how much all weights on it may be.
  llvm::SmallVector<int64_t> budgets = {};

  llvm::ArrayRef<unsigned> getEngines(unsigned from, unsigned to) const {
    return engines[size_t(from) * numDevices + to];
  }
  unsigned getNumUnits() const {
    unsigned count = 0;
    for (unsigned unit : units)
      count = std::max(count, unit + 1);
    return count;
  }
  int64_t getTime(unsigned item, unsigned device) const {
    return times[size_t(item) * numDevices + device];
  }
};

/// The device of each unit.
using LatencySolution = llvm::SmallVector<unsigned, 0>;

/// Solutions within the budgets, from these starts (which may be none, and of
/// which some may exceed them): those by list scheduling, and what a search
/// from the best of all finds. The better come last; at most `most` of them.
/// The amount of work is fixed, so that the result is the same everywhere.
llvm::SmallVector<LatencySolution>
searchLatency(const LatencyProblem &problem,
              llvm::ArrayRef<LatencySolution> starts, unsigned most);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_LATENCYSEARCH_H
