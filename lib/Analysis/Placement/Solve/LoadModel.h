//===- LoadModel.h - A graph as a division of work ------------ -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_LOADMODEL_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_LOADMODEL_H

#include "Analysis/Placement/Graph/Assignment.h"
#include "hetero/Support/Solvers/LoadProblem.h"

namespace mlir::hetero {

/// Placement for throughput as a division of work among devices. Nodes that are
/// made once are items, and each device is one more, which stands for what is
/// there in any case. A value has a net for each of the blocks in which a copy
/// is the cheapest for some of its uses; what is replicated has one with the
/// times of making it.
class LoadModel {
public:
  /// What is open in the graph is open; the rest has its device.
  explicit LoadModel(const Assignment &assignment);

  const LoadProblem &getProblem() const { return problem; }
  Assignment getAssignment(const LoadSolution &solution) const;
  /// The node of an item; that of a device has the number of nodes and its own.
  unsigned getNumber(unsigned item) const {
    return item < nodes.size() ? nodes[item]
                               : graph.nodes.size() + item - nodes.size();
  }
  /// Of a net that has a producer: what it carries, and where copies stand.
  ValueIndex getValue(unsigned net) const { return carried[net].first; }
  BlockIndex getBlock(unsigned net) const { return carried[net].second; }

private:
  using Items = SmallVector<unsigned, 2>;

  void addMachine();
  void addItems();
  void addConsumers();
  void addReplica(NodeIndex node);
  void addValue(ValueIndex value);
  void addNet(ValueIndex value, BlockIndex block, int64_t bytes, Items readers,
              bool isOptional);
  unsigned getDeviceItem(DeviceIndex device) const {
    return nodes.size() + device;
  }
  ArrayRef<unsigned> getReaders(NodeIndex node) const;
  unsigned addCosts(int64_t bytes, BlockIndex block);

  const Assignment &fixed;
  const PlacementGraph &graph;
  const Topology &topology;
  LoadProblem problem;
  /// By item; by node, kNoItem for none; by net.
  SmallVector<NodeIndex, 0> nodes;
  SmallVector<unsigned, 0> items;
  SmallVector<std::pair<ValueIndex, BlockIndex>, 0> carried;
  /// Of what is replicated: where it is needed.
  SmallVector<Items, 0> consumers;
  llvm::DenseMap<std::pair<int64_t, BlockIndex>, unsigned> knownCosts;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_LOADMODEL_H
