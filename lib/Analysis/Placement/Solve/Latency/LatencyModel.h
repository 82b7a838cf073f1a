//===- LatencyModel.h - A graph as work that overlaps --------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_LATENCY_LATENCYMODEL_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_LATENCY_LATENCYMODEL_H

#include "Analysis/Placement/Graph/Assignment.h"
#include "Analysis/Placement/Graph/ProgramSegments.h"
#include "hetero/Support/Solvers/LatencySearch.h"

namespace mlir::hetero {

/// Placement for latency, for a search that looks at many placements. It is a
/// little simpler than what is scheduled at last (Price/LatencyTasks.h): copies
/// stand where their value is made, and what is replicated is made again as
/// soon as something needs it.
class LatencyModel {
public:
  /// What is open in the graph is open; the rest has its device.
  LatencyModel(const Assignment &assignment, const ProgramSegments &segments);

  const LatencyProblem &getProblem() const { return problem; }
  LatencySolution getSolution(const Assignment &decided) const;
  Assignment getAssignment(const LatencySolution &solution) const;
  /// How much the constants of each device may take.
  void setBudgets(ArrayRef<int64_t> budgets) {
    problem.budgets.assign(budgets.begin(), budgets.end());
  }
  /// How much they take in a placement.
  SmallVector<int64_t> getWeights(const Assignment &decided) const;

private:
  using Values = SmallVector<unsigned, 4>;

  void addMachine();
  void addItems();
  void addTimes(NodeIndex node);
  void addReads(NodeIndex node);
  void collectReads(NodeIndex node, Values &reads, int64_t &weight);
  void addValue(ValueIndex value);
  void addParts(ValueIndex value);
  unsigned addCosts(int64_t bytes, BlockIndex block);
  unsigned addReplica(NodeIndex node);

  const Assignment &fixed;
  const PlacementGraph &graph;
  const Topology &topology;
  const ProgramSegments &segments;
  LatencyProblem problem;
  /// By item.
  SmallVector<NodeIndex, 0> nodes;
  /// By node; kNone for none.
  SmallVector<unsigned, 0> items, replicas;
  /// By unit: a node of it.
  SmallVector<NodeIndex, 0> leaders;
  llvm::DenseMap<std::pair<int64_t, BlockIndex>, unsigned> knownCosts;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_LATENCY_LATENCYMODEL_H
