//===- PlacementGraph.h - The graph that placement decides on ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations and tensor values by number: who makes a value, who needs it
// where, in which block, and what everything costs. All times include the
// frequency of the block that they are spent in.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_GRAPH_PLACEMENTGRAPH_H
#define HETERO_ANALYSIS_PLACEMENT_GRAPH_PLACEMENTGRAPH_H

#include "hetero/Analysis/Blocks/CopySites.h"
#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Analysis/Placement/Placement.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"

namespace mlir::hetero {

using NodeIndex = unsigned;
using ValueIndex = unsigned;
inline constexpr unsigned kNone = ~0u;
/// Time of an operation on a device that cannot run it.
inline constexpr int64_t kNever = INT64_MAX;

/// The sum of two times of an operation on a device that can run it: however
/// long, it is not kNever.
inline int64_t addPossibleTimes(int64_t a, int64_t b) {
  return std::min(addTimes(a, b), kNever - 1);
}

/// One operation, or one value that control flow or calls carry: a loop's
/// iteration argument with its init, its yielded operand and its result is one
/// node that takes no time.
struct PlacementNode {
  /// Null for what is carried.
  Operation *op;
  BlockIndex block = 0;
  /// Null while it is undecided.
  StringAttr origin = {};
  /// The annotation that holds here, or null: the device is one of its kind.
  /// Before the node is looked at, the operation's own.
  DeviceAttr spec = {};
  /// Of a part of a tensor: where the program has it, which its user needs.
  /// Optimized copies bring the part there, so that the node itself is open.
  DeviceAttr stated = {};
  PlacementReason reason = PlacementReason::Cost;
  /// Has a time on each device; false for what is the host's in any case.
  bool isTimed = false;
  /// Has tensors among its operands or results; only of what has no time.
  bool hasTensors = true;
  /// An operation whose regions hold operations that are placed.
  bool isControl = false;
  /// Its results can be made again on every device that needs them.
  bool canReplicate = false;
  /// Cost decides whether they are, or are made once and copied.
  bool mayRepeat = false;
  /// Open to the choice by cost, within `spec`.
  bool open = false;
  /// A copy by the user, whose source is in `copySources`.
  bool isCopy = false;

  /// What is carried does not.
  bool takesTime() const { return isTimed && op; }
};

/// The nodes of the values that an operation carries, kNone for those that
/// stay on the host.
struct CarriedValues {
  /// Control flow, or a function.
  Operation *op;
  /// Of the results; of a function, those of its calls.
  SmallVector<NodeIndex, 2> results;
  /// Of the inits that no result is tied to; of a function, its arguments.
  SmallVector<NodeIndex, 2> inits;
  /// Of the arguments of each block but the first of its region.
  SmallVector<SmallVector<NodeIndex>, 0> blocks;
};

/// Nodes that stand on the same one of these devices.
struct ColocationGroup {
  SmallVector<NodeIndex> members;
  SmallVector<DeviceIndex> devices;
};

/// One tensor value.
struct PlacementValue {
  /// kNone for values whose device is fixed.
  NodeIndex producer = kNone;
  /// Where it is if it has no producer.
  DeviceIndex device = Topology::kHost;
  /// The block that defines it.
  BlockIndex block = 0;
  /// The number of nodes when it was found: of an operation's result, its node
  /// is the one before.
  NodeIndex at = 0;
  int64_t bytes = 0;
};

/// A node that needs a value where it runs.
struct PlacementRead {
  NodeIndex node;
  ValueIndex value;
  BlockIndex block;
};

/// A use whose device is not open to choice.
struct FixedUse {
  ValueIndex value;
  DeviceIndex device;
  BlockIndex block;
  /// The last node before it or of it.
  NodeIndex at;
};

/// A host operation that needs a few bytes of a value (tensor.extract): they
/// can be copied alone.
struct PartialRead {
  ValueIndex value;
  BlockIndex block;
  NodeIndex at;
  int64_t bytes;
};

/// Where what is carried reads: the last node before that or of it. Other
/// nodes read where they stand.
struct CarrierRead {
  unsigned read;
  NodeIndex at;
};

/// Entries of a list by the number that each has: those of number n are
/// `order[begin[n]]` to `order[begin[n + 1]]`.
struct Grouping {
  SmallVector<unsigned, 0> begin, order;

  /// Groups `count` entries by `key(entry)`, which is less than `numKeys` or
  /// kNone.
  void build(unsigned count, unsigned numKeys,
             llvm::function_ref<unsigned(unsigned)> key);
  ArrayRef<unsigned> get(unsigned key) const {
    return ArrayRef(order).slice(begin[key], begin[key + 1] - begin[key]);
  }
};

struct PlacementGraph {
  PlacementGraph(const Topology &topology, const BlockTree &tree,
                 TensorSizes sizes)
      : topology(topology), tree(tree), sizes(std::move(sizes)) {
    tellDevicesApart();
  }

  const Topology &topology;
  const BlockTree &tree;
  TensorSizes sizes;
  SmallVector<PlacementNode, 0> nodes;
  SmallVector<PlacementValue, 0> values;
  SmallVector<PlacementRead, 0> reads;
  SmallVector<FixedUse, 0> fixedUses;
  SmallVector<PartialRead, 0> partialReads;
  /// By read.
  SmallVector<CarrierRead, 0> carrierReads;
  /// Tensors among the arguments of functions.
  SmallVector<ValueIndex, 0> arguments;
  SmallVector<CarriedValues, 0> carried;
  /// What copies by the user copy.
  llvm::DenseMap<NodeIndex, ValueIndex> copySources;
  /// Where nodes that fell back should have been.
  llvm::DenseMap<NodeIndex, DeviceAttr> wanted;
  /// The state that nodes use.
  llvm::DenseMap<NodeIndex, Operation *> states;
  /// Nodes with `hetero.colocate`, or that use state, and the groups that the
  /// solver decides.
  SmallVector<NodeIndex, 0> colocated;
  SmallVector<ColocationGroup, 0> groups;
  /// Operations with annotations of their own.
  int64_t numAnnotated = 0;
  /// Terminators with annotations, and operations with some in their bodies.
  SmallVector<Operation *, 0> idlyAnnotated;
  /// Time of node n on a device of class c, at n * classes + c.
  SmallVector<int64_t, 0> times;
  /// By device: its class, those of which are alike to all operations. At
  /// first, and where there are few devices, each is of its own.
  SmallVector<unsigned> classes;
  /// By class: its first device.
  SmallVector<DeviceIndex> representatives;
  Grouping readsOfNode, readsOfValue, resultsOfNode, fixedUsesOfValue,
      partialReadsOfValue;

  /// True if cost decides no device.
  bool isDecided() const {
    return llvm::none_of(nodes,
                         [](const PlacementNode &node) { return node.open; });
  }
  /// Makes one class of the devices that only ordinal and node tell apart,
  /// before there are nodes.
  void classifyDevices();
  /// Makes each device a class of its own, with the times that nodes have.
  void tellDevicesApart();
  /// Finds the reads and results of each node, for when those have changed.
  void groupByNode();
  /// Calls `visit(read, at)` for each read, in order, with the last node before
  /// it or of it.
  template <typename Visitor> void visitReads(Visitor &&visit) const {
    const CarrierRead *carried = carrierReads.begin();
    for (auto [index, read] : llvm::enumerate(reads)) {
      bool isCarried = carried != carrierReads.end() && carried->read == index;
      visit(read, isCarried ? carried++->at : read.node);
    }
  }
  int64_t getTime(NodeIndex node, DeviceIndex device) const {
    return times[size_t(node) * representatives.size() + classes[device]];
  }
  bool canRunOn(NodeIndex node, DeviceIndex device) const {
    return !nodes[node].isTimed ? device == Topology::kHost
                                : getTime(node, device) != kNever;
  }
  /// True if the node may stand there: it can run and its annotation admits it.
  bool isAllowed(NodeIndex node, DeviceIndex device) const {
    DeviceAttr spec = nodes[node].spec;
    return canRunOn(node, device) &&
           (!spec || topology.getDevice(device).meet(spec));
  }
  int64_t getTransferTime(ValueIndex value, DeviceIndex from,
                          DeviceIndex to) const {
    return topology.getTransferTime(from, to, values[value].bytes);
  }
  /// What the read costs if only its bytes are moved.
  OptionalUse getOptionalUse(const PartialRead &read, DeviceIndex from) const {
    int64_t time = topology.getTransferTime(from, Topology::kHost, read.bytes);
    return {read.block, tree.scale(time, read.block)};
  }
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_GRAPH_PLACEMENTGRAPH_H
