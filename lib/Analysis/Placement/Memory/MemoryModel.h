//===- MemoryModel.h - Memory that no placement changes ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYMODEL_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYMODEL_H

#include "ProgramOrder.h"

namespace mlir::hetero {

/// What a program keeps from call to call: it is there as long as the program
/// is, where the operations are that use it.
struct ResidentState {
  Operation *state;
  /// One of those operations.
  NodeIndex user;
  int64_t bytes;
};

/// What of memory use does not depend on the placement.
class MemoryModel {
public:
  /// With `streamsConstants` those that can be copied from the host for each
  /// node that reads them take memory for that node only.
  explicit MemoryModel(const PlacementGraph &graph,
                       bool streamsConstants = false);

  /// Null for what is no constant.
  Attribute getConstant(ValueIndex value) const { return constants[value]; }
  bool isArgumentValue(ValueIndex value) const { return isArgument[value]; }
  /// The value whose bytes it shares as a view, or may overwrite; kNone for
  /// none.
  ValueIndex getViewed(ValueIndex value) const { return viewed[value]; }
  ValueIndex getOverwritten(ValueIndex value) const {
    return overwritten[value];
  }
  /// The node of the call after which the value is there, or kNone.
  NodeIndex getCall(ValueIndex value) const { return calls[value]; }
  bool streamsConstants() const { return streams; }
  /// True if a copy of what is read, a constant, can stand before its node,
  /// on this device.
  bool canStream(const PlacementRead &read, DeviceIndex device) const;
  /// What control flow carries, and how long that takes.
  ArrayRef<std::pair<NodeIndex, Span>> getCarriers() const { return carriers; }
  ArrayRef<ResidentState> getStates() const { return states; }

  const PlacementGraph &graph;
  ProgramOrder order;

private:
  friend class MemoryUse;
  void addResults(NodeIndex node);
  void addCarried(NodeIndex node);
  void addStates();

  bool streams;
  TensorSizes sizes;
  /// By value: the value whose bytes it shares, or kNone: what it is a view of,
  /// what it may overwrite.
  SmallVector<ValueIndex, 0> viewed, overwritten;
  /// By value, null for what is no constant.
  SmallVector<Attribute, 0> constants;
  SmallVector<uint8_t, 0> isArgument;
  /// By value: the node of the call after which it is there, or kNone.
  SmallVector<NodeIndex, 0> calls;
  /// What control flow carries: nodes, and how long.
  SmallVector<std::pair<NodeIndex, Span>, 0> carriers;
  /// In the order of their first uses.
  SmallVector<ResidentState, 0> states;
};

/// The bytes of the state that a node uses: all of it is loaded or stored.
int64_t getStateBytes(const PlacementGraph &graph, NodeIndex user);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_MEMORYMODEL_H
