//===- Pricer.h - What an assignment costs ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The price of an assignment: compute times of the nodes, and times of copies.
// A value is copied once per destination and site; what is replicated is made
// on each device that needs it. The price is kept while nodes move: a move
// looks at the node, its operands and its results alone.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_PLACEMENT_PRICER_H
#define HETERO_LIB_PLACEMENT_PRICER_H

#include "CopySites.h"
#include "ExactTime.h"
#include "ProblemLists.h"
#include "hetero/Placement/FitSearch.h"

namespace mlir::hetero {

/// A copy, where it stands. Times are those of all executions.
struct ProblemCopy {
  unsigned value, from, to, block;
  int64_t bytes, time;
  /// The part of the value that is copied; -1 for all of it.
  int64_t part;
};

class Pricer {
public:
  /// The problem and its lists outlive this. Nodes that are not replicated have
  /// devices.
  Pricer(const PlacementProblem &problem, const ProblemLists &lists,
         PlacementAssignment start);

  const PlacementProblem &getProblem() const { return problem; }
  const PlacementAssignment &getAssignment() const { return assignment; }
  /// True if the node is there: placed, or made again for someone.
  bool isOn(unsigned node, unsigned device) const {
    return assignment.isReplicated[node]
               ? wants[size_t(node) * numDevices + device] != 0
               : assignment.devices[node] == device;
  }

  /// Puts one node, which is not replicated, on another device.
  void move(unsigned node, unsigned device) {
    set(node, device, /*isReplicated=*/false);
  }
  /// The node stands on the device, or is made again on each device that needs
  /// its results.
  void set(unsigned node, unsigned device, bool isReplicated);

  /// The sum of all times, picoseconds, saturating.
  int64_t getSum() const { return sum.get(); }
  /// False if a node cannot run where it is, or a value cannot get where it is
  /// needed.
  bool isPossible() const { return !sum.isNever(); }
  /// How long the busiest device or link works. A device that cannot do both at
  /// once computes and copies; a copy over several links takes each of them.
  int64_t getLargestLoad() const;
  /// A sum of high powers of all loads, as parts of `reference`, in which the
  /// largest ones count.
  double getPressure(double reference) const;
  /// The number that the goal makes small, and the sum, by which placements
  /// compare.
  std::pair<int64_t, int64_t> getCost(SearchGoal goal) const {
    return {goal == SearchGoal::Sum ? getSum() : getLargestLoad(), getSum()};
  }
  /// Reads and copies that were looked at until now: what the work took.
  size_t getNumSteps() const { return numSteps; }

private:
  void addNode(unsigned node, unsigned device, int sign);
  void want(unsigned value, unsigned device, int count);
  void enter(unsigned node);
  void leave(unsigned node);
  void changeReplicas(unsigned node, int count);
  void markResults(unsigned node);
  void update();
  void removeCopies(unsigned value);
  void addCopies(unsigned value);
  void addCopiesTo(unsigned value, unsigned from, unsigned to);
  void chargeCopies(unsigned value, int sign);
  void findOwnLinks();
  void chargeLink(unsigned from, unsigned to, const ProblemCopy &copy,
                  int sign);
  void addUse(unsigned device, unsigned block);
  void collectUses(unsigned value);

  const PlacementProblem &problem;
  const ProblemLists &lists;
  PlacementAssignment assignment;
  unsigned numDevices;
  CopySiteChooser sites;
  /// How many need the replica of node n on device d: at n * devices + d.
  std::vector<unsigned> wants;
  /// By value.
  std::vector<std::vector<ProblemCopy>> copies;
  ExactTime sum;
  /// By device; by from * devices + to.
  std::vector<ExactTime> loads, links;
  /// Links, but for those that a device at one end works as long for.
  std::vector<unsigned> ownLinks;
  /// Values whose copies are to be chosen again.
  std::vector<unsigned> stale;
  std::vector<uint8_t> isStale;
  size_t numSteps = 0;
  /// Of one value, while its copies are chosen or charged: the blocks that need
  /// it, by device, and the devices that do, by number.
  std::vector<std::vector<unsigned>> uses;
  std::vector<unsigned> needed;
  std::vector<PartialUse> partialUses;
  std::vector<std::pair<size_t, unsigned>> crossed;
  std::vector<std::pair<unsigned, unsigned>> worklist;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_PLACEMENT_PRICER_H
