//===- PlacementGraph.h - The graph that placement decides on ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations and tensor values by number, without IR: who makes a value, who
// needs it where, and how many bytes it has.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENTGRAPH_H
#define HETERO_ANALYSIS_PLACEMENTGRAPH_H

#include "hetero/Analysis/Placement.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::hetero {

using NodeIndex = unsigned;
using ValueIndex = unsigned;
inline constexpr unsigned kNone = ~0u;

/// One operation.
struct PlacementNode {
  Operation *op;
  /// kNone while it is undecided.
  DeviceIndex device = kNone;
  /// Null while it is undecided.
  StringAttr origin = {};
  PlacementReason reason = PlacementReason::Cost;
  /// The annotation that holds here, or null: the device is one of its kind.
  DeviceAttr spec = {};
  DeviceAttr wanted = {};
  /// Range in `reads`: values that are needed on the operation's device.
  unsigned readBegin = 0, readEnd = 0;
  /// Range of values: the results that are on the operation's device.
  ValueIndex resultBegin = 0, resultEnd = 0;
  /// Its results are made again on every device that needs them.
  bool replicable = false;
  /// Open to the choice by cost, within `spec`.
  bool open = false;
};

/// One tensor value.
struct PlacementValue {
  /// kNone for values whose device is fixed.
  NodeIndex producer = kNone;
  /// Where it is if it has no producer.
  DeviceIndex device = Topology::kHost;
  int64_t bytes = 0;
};

/// A host operation that needs a few bytes of a value (tensor.extract): they
/// are copied alone.
struct PartialRead {
  ValueIndex value;
  int64_t bytes;
};

struct PlacementGraph {
  explicit PlacementGraph(const Topology &topology) : topology(topology) {}

  const Topology &topology;
  SmallVector<PlacementNode, 0> nodes;
  SmallVector<PlacementValue, 0> values;
  SmallVector<ValueIndex, 0> reads;
  SmallVector<PartialRead, 0> partialReads;
  /// How many users need value v on device d, at v * devices + d. Undecided
  /// operations do not count.
  SmallVector<uint32_t, 0> uses;

  uint32_t &getUses(ValueIndex value, DeviceIndex device) {
    return uses[size_t(value) * topology.size() + device];
  }
  DeviceIndex getValueDevice(ValueIndex value) const {
    const PlacementValue &v = values[value];
    return v.producer == kNone ? v.device : nodes[v.producer].device;
  }
  bool isReplicable(ValueIndex value) const {
    NodeIndex producer = values[value].producer;
    return producer != kNone && nodes[producer].replicable;
  }
  ArrayRef<ValueIndex> getReads(const PlacementNode &node) const {
    return ArrayRef(reads).slice(node.readBegin, node.readEnd - node.readBegin);
  }
  /// Counts (or no longer counts) the node as a user of what it reads.
  void countReads(const PlacementNode &node, int delta) {
    for (ValueIndex value : getReads(node))
      getUses(value, node.device) += delta;
  }
};

/// The graph of a module, nothing decided. Nodes are in program order.
PlacementGraph buildPlacementGraph(ModuleOp module, const Topology &topology);

/// Decides the open nodes by the bytes around them.
void placeGreedily(PlacementGraph &graph);

/// The price of a graph whose nodes are all decided.
PlacementPrice computePrice(PlacementGraph &graph);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENTGRAPH_H
