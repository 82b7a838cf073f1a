//===- Assignment.h - Where the nodes of a graph stand ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What placement decides of a graph, apart from the graph: those that look for
// a placement copy and change it, and the graph stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_GRAPH_ASSIGNMENT_H
#define HETERO_ANALYSIS_PLACEMENT_GRAPH_ASSIGNMENT_H

#include "PlacementGraph.h"

namespace mlir::hetero {

/// The device of each node, or that it is replicated: made again on every
/// device that needs its results.
class Assignment {
public:
  /// Nothing has a device, and what can be replicated is. The graph outlives
  /// this.
  explicit Assignment(const PlacementGraph &graph);

  const PlacementGraph &getGraph() const { return *graph; }
  /// Becomes one of a graph with the same nodes.
  void setGraph(const PlacementGraph &other) { graph = &other; }
  /// kNone while it is undecided.
  DeviceIndex getDevice(NodeIndex node) const { return states[node].device; }
  void setDevice(NodeIndex node, DeviceIndex device) {
    states[node].device = device;
  }
  bool isReplicated(NodeIndex node) const { return states[node].isReplicated; }
  void setReplicated(NodeIndex node, bool isReplicated) {
    states[node].isReplicated = isReplicated;
  }

  /// Where a value is that is not replicated.
  DeviceIndex getValueDevice(ValueIndex value) const {
    const PlacementValue &v = graph->values[value];
    return v.producer == kNone ? v.device : getDevice(v.producer);
  }
  bool isValueReplicated(ValueIndex value) const {
    NodeIndex producer = graph->values[value].producer;
    return producer != kNone && isReplicated(producer);
  }
  /// Calls `visit(value, device)` for all that is read by what is not
  /// replicated, on the device that reads it.
  template <typename Visitor> void visitPlacedReads(Visitor &&visit) const {
    for (const PlacementRead &read : graph->reads)
      if (!isReplicated(read.node))
        visit(read.value, getDevice(read.node));
    for (const FixedUse &use : graph->fixedUses)
      visit(use.value, use.device);
    for (const PartialRead &read : graph->partialReads)
      visit(read.value, Topology::kHost);
  }

private:
  struct State {
    DeviceIndex device = kNone;
    bool isReplicated = false;
  };

  const PlacementGraph *graph;
  /// By node.
  SmallVector<State, 0> states;
};

/// An assignment that costs were compared for.
struct PlacementSolution {
  Assignment assignment;
  /// What its price may be above the least, where that is known.
  std::optional<int64_t> gap = {};
  /// Devices that the least cost alone would ask for too much memory.
  SmallVector<MemoryShortage, 0> shortages = {};
  /// Devices whose constants do not fit, and what that costs.
  SmallVector<StreamedConstants, 0> streams = {};
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_GRAPH_ASSIGNMENT_H
