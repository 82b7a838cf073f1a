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

#include "Analysis/Placement/Graph/PlacementGraph.h"
#include "hetero/Support/Solvers/BinaryProblem.h"

namespace mlir::hetero {

class PairProblem {
public:
  PairProblem(PlacementGraph &graph, DeviceIndex first, DeviceIndex second);

  /// Places the nodes. False if there was nothing to choose.
  bool solve(int64_t workLimit);
  /// What the cost may be above the least, after `solve`.
  int64_t getGap() const { return (problem.getGap() + 1) / 2; }

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

  /// What copies can cost at most, if everything else stays where it is or
  /// moves, more or less when a node moves from the first device to the second.
  struct CopyBounds {
    int64_t more = 0, less = 0;
  };

  void findOpen();
  void settleNodes();
  std::optional<bool> findSide(NodeIndex node);
  bool addReadBounds(const PlacementRead &read, CopyBounds &bounds);
  void addResultBounds(ValueIndex value, CopyBounds &bounds);
  bool isFree(NodeIndex replicable) const;
  void addNodes();
  void addReplicable(NodeIndex node);
  bool isUsed(NodeIndex replicable) const;
  void findNeeded();
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
  bool isOpen(NodeIndex node) const {
    return node != kNone && !graph.nodes[node].replicable &&
           variables[0][node] != kNoVariable;
  }
  void addCost(Variable variable, int64_t ifFirst, int64_t ifSecond);
  /// Costs `time` if the value is at the second place but not at the first.
  void require(Presence from, Presence to, bool isSecond, int64_t time);
  Presence addPresence() { return {Presence::Unknown, problem.addVariable()}; }

  PlacementGraph &graph;
  DeviceIndex devices[2];
  /// In halves of the graph's unit of time.
  BinaryProblem problem;
  /// By node: the variables that say if it runs on (or is needed on) the first
  /// device when 0, and on the second when 1. The same for open nodes.
  SmallVector<Variable, 0> variables[2];
  SmallVector<NodeIndex, 0> open;
  /// By node: it may be made again or copied, and something needs it.
  SmallVector<uint8_t, 0> isNeeded;
  bool hasSettled = false;
  /// Of the value that is being added.
  SmallVector<Use, 8> uses;
  SmallVector<BlockIndex, 8> useBlocks;
  SmallVector<OptionalUse, 4> optional;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_PAIRPROBLEM_H
