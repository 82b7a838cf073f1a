//===- Topology.h - The machine that a module is placed on ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The devices and links of `hetero.topology`, of `dlti.target_system_spec`, or
// of the built-in default, by number, and the times that they need. All times
// are picoseconds and saturate.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_TOPOLOGY_H
#define HETERO_ANALYSIS_MACHINE_TOPOLOGY_H

#include "hetero/Analysis/Machine/MachinePaths.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace mlir::hetero {
class DeviceKind;

class Topology {
public:
  static constexpr DeviceIndex kHost = 0;

  /// The topology of a module: what getTopologyAttr() has, or the default with
  /// every device that the module names, and `extra` if it is not null.
  static Topology get(ModuleOp module, DeviceAttr extra = {});
  /// The default topology: the host, gpu:0, and these devices.
  static TopologyAttr getDefault(MLIRContext *context,
                                 ArrayRef<DeviceAttr> devices = {});

  Topology(TopologyAttr attr, bool isExplicit);

  /// The same devices with these links between them.
  Topology withLinks(ArrayRef<LinkAttr> all) const;

  TopologyAttr getAttr() const { return attr; }
  /// True if the user gave it, so that no other device exists.
  bool isExplicit() const { return explicitly; }

  unsigned size() const { return specs.size(); }
  DeviceAttr getDevice(DeviceIndex index) const { return devices[index]; }
  DeviceSpecAttr getSpec(DeviceIndex index) const { return specs[index]; }
  /// The bytes that a device holds, if the topology says so, or that the module
  /// may use there (`hetero.memory_budget`), if that is less. The numbers of
  /// the default topology are of no particular machine and limit nothing.
  std::optional<int64_t> getCapacity(DeviceIndex index) const;
  /// True if the module says how much of the device's memory it may use.
  bool hasBudget(DeviceIndex index) const { return budgets[index].has_value(); }
  /// Null for a kind that is not registered.
  const DeviceKind *getKind(DeviceIndex index) const { return kinds[index]; }

  /// The host of the device's node; its own is `kHost`.
  DeviceIndex getHostOf(DeviceIndex index) const { return hosts[index]; }
  /// The devices of this host's node, itself included.
  ArrayRef<DeviceIndex> getDevicesOfNode(DeviceIndex host) const {
    return ofHost.find(host)->second;
  }
  bool isHostOfNode(DeviceIndex index) const { return hosts[index] == index; }
  /// True if a copy between the two crosses the network between nodes.
  bool areOnTwoNodes(DeviceIndex a, DeviceIndex b) const {
    return hosts[a] != hosts[b];
  }

  /// True if the two are hosts that the network joins, and no link.
  bool isJoinedByNetwork(DeviceIndex from, DeviceIndex to) const {
    return paths->isNetwork(from, to);
  }

  /// The number of a device with an ordinal; unit and codegen do not matter.
  std::optional<DeviceIndex> lookup(DeviceAttr device) const;
  /// Every device that a specification admits, by ordinal.
  SmallVector<DeviceIndex> getMatching(DeviceAttr spec) const;
  /// "cpu:0, gpu:0", for messages.
  std::string listDevices() const;
  /// True if some device is on another node than the host.
  bool hasNodes() const;

  /// True if copies to and from the device run while it computes.
  bool overlapsCopies(DeviceIndex index) const {
    return specs[index].getOverlap();
  }

  /// True if the device handles elements of this type.
  bool supportsType(DeviceIndex device, Type elementType) const;
  bool supportsAllTypes(DeviceIndex device) const {
    return !specs[device].getTypes();
  }
  /// Time of one execution of an operation of this cost: what the device's kind
  /// says, else the roofline's. The device can run it.
  int64_t getComputeTime(Operation *op, DeviceIndex device,
                         PlacementCost cost) const;
  /// The longer of computing and moving bytes, and the launch before it.
  int64_t getRooflineTime(DeviceIndex device, PlacementCost cost) const;
  /// Time of a copy, along the fastest path where no link joins the two.
  /// INT64_MAX if there is no path, 0 for a unified link.
  int64_t getTransferTime(DeviceIndex from, DeviceIndex to,
                          int64_t bytes) const;
  bool isUnified(DeviceIndex from, DeviceIndex to) const;
  bool isReachable(DeviceIndex from, DeviceIndex to) const {
    return from == to || paths->getHop(from, to).link;
  }
  /// The devices between the two on the path of a copy; none if a link joins
  /// them, or if there is no path.
  SmallVector<DeviceIndex> getStops(DeviceIndex from, DeviceIndex to) const;

private:
  void setBudgets(ModuleOp module);
  void addPaths();

  TopologyAttr attr;
  bool explicitly;
  SmallVector<DeviceSpecAttr> specs;
  SmallVector<DeviceAttr> devices;
  SmallVector<const DeviceKind *> kinds;
  SmallVector<std::optional<int64_t>> budgets;
  llvm::DenseMap<DeviceAttr, DeviceIndex> indices;
  /// Of each device of its node.
  SmallVector<DeviceIndex> hosts;
  /// By host.
  llvm::DenseMap<DeviceIndex, SmallVector<DeviceIndex, 2>> ofHost;
  /// By kind and node, without ordinal: those of them, by ordinal.
  llvm::DenseMap<DeviceAttr, SmallVector<DeviceIndex, 1>> ofKind;
  /// Of the same links in all copies of this.
  std::shared_ptr<const MachinePaths> paths;
};

/// The topology that `option` spells, or that the file of this name holds. An
/// error is reported through `emitError`.
FailureOr<TopologyAttr>
loadTopology(StringRef option, MLIRContext *context,
             llvm::function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_TOPOLOGY_H
