//===- LatencyTimeline.h - When placed items end -------------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clock of a search that looks at many placements: items start in a given
// order, each as soon as what it needs is there and its device is free, and
// copies leave when the first item needs them. What is found so is scheduled
// anew, with more effort, by those who want to know how long it takes.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_LATENCYTIMELINE_H
#define HETERO_SUPPORT_SOLVERS_LATENCYTIMELINE_H

#include "hetero/Support/Solvers/LatencySearch.h"

namespace mlir::hetero {

/// The sum of two times, of which each may be never.
inline int64_t addUp(int64_t a, int64_t b) {
  return a > LatencyProblem::kNever - b ? LatencyProblem::kNever : a + b;
}

/// What the structure of a problem says, for those who go over it often.
class LatencyNetwork {
public:
  explicit LatencyNetwork(const LatencyProblem &problem);

  const LatencyProblem &problem;
  /// By value: the items that read it. By unit: its items.
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>, 0> readers, members;
  /// By unit: its weight. By unit * devices + device: whether it may be there.
  llvm::SmallVector<int64_t, 0> weights;
  llvm::SmallVector<uint8_t, 0> allowed;
  /// By item: the number of its run of items of one segment.
  llvm::SmallVector<unsigned, 0> runs;

  bool isAllowed(unsigned unit, unsigned device) const {
    return allowed[size_t(unit) * problem.numDevices + device];
  }
  bool fits(const LatencySolution &solution) const;
  /// Calls `visit` with each device that needs the value though no item waits.
  template <typename Visitor>
  void forEachTarget(unsigned value, const LatencySolution &solution,
                     Visitor &&visit) const {
    for (unsigned device : problem.values[value].needed)
      visit(device);
    for (unsigned unit : problem.values[value].neededBy)
      visit(solution[unit]);
  }
  /// The time of a copy along its way; kNever if there is none.
  int64_t getCopyTime(unsigned value, unsigned from, unsigned to) const;
  /// The items of each segment by the longest way from their start to the end,
  /// where work of some devices keeps its order.
  llvm::SmallVector<unsigned, 0>
  getOrder(const LatencySolution &solution) const;
};

/// Runs items one by one. All of them have devices when they run.
class LatencyTimeline {
public:
  explicit LatencyTimeline(const LatencyNetwork &network);

  /// Forgets what ran.
  void restart();
  /// Runs the next item of an order. False if it, or something it needs, cannot
  /// be where it would be.
  bool run(unsigned item, const LatencySolution &solution);
  /// When all that ran has ended.
  int64_t getEnd() const { return last; }
  /// When an item would end on a device if it ran next; kNever if it cannot.
  int64_t estimate(unsigned item, unsigned device,
                   const LatencySolution &solution) const;
  /// Runs all; kNever as soon as that takes longer than the limit.
  int64_t runAll(llvm::ArrayRef<unsigned> order,
                 const LatencySolution &solution, int64_t limit);
  /// The item because of which this one did not start earlier, or kNoItem.
  static constexpr unsigned kNoItem = ~0u;
  unsigned getCause(unsigned item) const { return causes[item]; }
  /// The item that ended last.
  unsigned getLastItem() const { return lastItem; }

private:
  struct Place {
    int64_t time = 0;
    unsigned epoch = 0;
  };

  void enterRun(unsigned run);
  int64_t bring(unsigned value, unsigned device, unsigned item,
                const LatencySolution &solution);
  unsigned getHome(unsigned value, const LatencySolution &solution) const;
  Place &getPlace(unsigned value, unsigned device) {
    return places[size_t(value) * problem.numDevices + device];
  }

  const LatencyNetwork &network;
  const LatencyProblem &problem;
  /// By value * devices + device: when it is there, in this epoch.
  llvm::SmallVector<Place, 0> places;
  unsigned epoch = 0, currentRun = ~0u, lastItem = kNoItem;
  /// By engine: when it is free, and the item that it worked for last.
  llvm::SmallVector<int64_t> free;
  llvm::SmallVector<unsigned> users;
  llvm::SmallVector<unsigned, 0> causes;
  /// When the segment began, and the last end so far.
  int64_t base = 0, last = 0;
};

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_LATENCYTIMELINE_H
