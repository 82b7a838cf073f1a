//===- PairProblem.h - Placement on two devices -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The best placement of the open nodes that stand on one of two devices, while
// everything else stays where it is, as a binary problem:
//
// - a variable per node, 0 on the first device and 1 on the second, unless the
//   times of the node outweigh all copies around it;
// - per value and destination a tree of variables, one for each block on the
//   way from the definition to a use, that says whether the value is there in
//   that block: either it was there in the block around, or one copy is paid,
//   as often as the block runs. Few values have uses enough to need that;
// - per replicable node, with or without operands, two variables that say
//   whether it is made on either device. Where there are no more devices, a
//   copy from one may replace what is made on the other.
//
// The minimum pays the cheapest placement and the cheapest copy sites at once.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_PAIRPROBLEM_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_PAIRPROBLEM_H

#include "PairChoice.h"
#include "hetero/Support/Solvers/BinaryProblem.h"

namespace mlir::hetero {

class PairProblem {
public:
  /// The problem of what is open.
  explicit PairProblem(PairChoice choice);

  /// The assignment of the least cost. Consumes the problem.
  Assignment solve(int64_t workLimit);
  /// What the cost may be above the least, after `solve`.
  int64_t getGap() const { return (problem.getGap() + 1) / 2; }
  bool isEmpty() const { return open.empty(); }

private:
  using Variable = BinaryProblem::Variable;
  static constexpr Variable kNoVariable = ~0u;
  /// Whether a value is on a device: a variable says so, or it is known.
  struct Presence {
    enum Kind { Absent, Present, Unknown } kind;
    Variable variable = 0;
  };
  /// A use in a block by what `presence` says.
  struct Use {
    BlockIndex block;
    Presence presence;
  };

  void addNodes();
  void addReplicated(NodeIndex node);
  void chooseReplicas(ArrayRef<uint8_t> solution);
  void addReplicas(ValueIndex value);
  void addValue(ValueIndex value);
  std::optional<std::pair<Variable, Variable>>
  findOpenReaders(ValueIndex value);
  std::optional<int64_t> getTimeOfOnly(ValueIndex value, bool isSecond) const;
  bool addTriangle(ValueIndex value, Variable origin);
  void addSide(ValueIndex value, bool isSecond);
  void addFlat(Presence origin, bool isSecond, int64_t time);
  std::optional<BlockIndex> findOnlySite(ValueIndex value, int64_t time) const;
  void addTree(ValueIndex value, bool isSecond, Presence origin, int64_t time);
  void addElsewhere(ValueIndex value, DeviceIndex device);
  void collectUses(ValueIndex value, bool isSecond);
  Presence getReader(NodeIndex node, bool isSecond) const;
  void addCost(Variable variable, int64_t ifFirst, int64_t ifSecond);
  /// Costs `time` if the value is at the second place but not at the first.
  void require(Presence from, Presence to, bool isSecond, int64_t time);
  Presence addPresence() { return {Presence::Unknown, problem.addVariable()}; }

  PairChoice choice;
  const PlacementGraph &graph;
  const DeviceIndex devices[2];
  /// In halves of the graph's unit of time.
  BinaryProblem problem;
  /// By node: the variables that say if it runs on (or is needed on) the first
  /// device when 0, and on the second when 1. The same for open nodes.
  SmallVector<Variable, 0> variables[2];
  SmallVector<NodeIndex, 0> open;
  /// Of the value that is being added.
  SmallVector<Use, 8> uses;
  SmallVector<BlockIndex, 8> useBlocks;
  SmallVector<OptionalUse, 4> optional;
};

/// What came of one pair of devices.
struct PairSolution {
  Assignment assignment;
  /// What the cost may be above the least.
  int64_t gap = 0;
  /// False if nothing was open.
  bool hadChoice = false;
};

/// The least cost with what is open on these two devices, from a start that
/// says where everything else stands.
PairSolution solvePair(Assignment start, DeviceIndex first, DeviceIndex second,
                       int64_t workLimit);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_PAIRPROBLEM_H
