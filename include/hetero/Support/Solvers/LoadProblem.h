//===- LoadProblem.h - Work divided among devices ------------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Items are divided among devices so that the busiest device or link has as
// little to do as can be. An item takes its time on its device, and what others
// read of it crosses the links on the way to them, each link once. A device
// that cannot compute while it copies has the time of its links as work of its
// own.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_LOADPROBLEM_H
#define HETERO_SUPPORT_SOLVERS_LOADPROBLEM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::hetero {

/// What an item takes where it cannot be.
inline constexpr int64_t kNoTime = INT64_MAX;
inline constexpr unsigned kNoItem = ~0u;

/// What some items read.
struct LoadNet {
  /// kNoItem for what is made on each device where it is read.
  unsigned producer = kNoItem;
  /// Others than the producer, each once.
  llvm::SmallVector<unsigned, 2> readers = {};
  /// The first of its costs: with a producer one per link, else one per device.
  unsigned costs = 0;
  /// Readers may have other ways to it, so that no bound may count on its cost.
  bool isOptional = false;
};

struct LoadLink {
  unsigned from, to;
};

/// The device of each item.
using LoadSolution = llvm::SmallVector<unsigned, 0>;

struct LoadProblem {
  unsigned numDevices = 0;
  /// By device: whether it computes and copies at the same time.
  llvm::SmallVector<uint8_t> overlaps = {};
  llvm::SmallVector<LoadLink, 0> links = {};
  /// Links on the way, at from * devices + to; none where there is no way.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 0> routes = {};
  /// By item * devices + device.
  llvm::SmallVector<int64_t, 0> times = {};
  llvm::SmallVector<LoadNet, 0> nets = {};
  llvm::SmallVector<int64_t, 0> costs = {};

  unsigned getNumItems() const { return times.size() / numDevices; }
  int64_t getTime(unsigned item, unsigned device) const {
    return times[size_t(item) * numDevices + device];
  }
  llvm::ArrayRef<unsigned> getRoute(unsigned from, unsigned to) const {
    return routes[from * numDevices + to];
  }
  /// Costs of a net by link, or by device.
  llvm::ArrayRef<int64_t> getCosts(const LoadNet &net) const {
    return llvm::ArrayRef(costs).slice(
        net.costs, net.producer == kNoItem ? numDevices : links.size());
  }
};

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_LOADPROBLEM_H
