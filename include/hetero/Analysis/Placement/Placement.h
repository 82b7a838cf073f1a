//===- Placement.h - Decides where operations run ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides the device of every operation of a module; changes no IR. Place.cpp
// writes what is decided here.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_PLACEMENT_H
#define HETERO_ANALYSIS_PLACEMENT_PLACEMENT_H

#include "hetero/Analysis/Blocks/BlockTree.h"
#include "hetero/Analysis/Machine/Topology.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include <functional>
#include <map>

namespace mlir::hetero {
class Profile;
struct PlacementPrice;
struct PlacementSolution;

/// How operations are placed that nothing else decides.
enum class PlacementStrategy {
  /// Where the sum of compute and transfer times is the least.
  Optimal,
  /// Where most of the bytes around the operation are.
  Greedy,
  /// On the host.
  AnnotatedOnly
};

/// What a placement by cost makes as small as it can.
enum class PlacementObjective {
  /// All compute and transfer times together: one request, nothing overlaps.
  Sum,
  /// How long one request takes if devices and links work at the same time, by
  /// the schedules of hetero-schedule.
  Latency,
  /// How long the busiest device or link works on one request: what limits the
  /// rate when requests follow each other.
  Throughput
};

struct PlacementOptions {
  PlacementStrategy strategy = PlacementStrategy::Optimal;
  /// Device of operations that nothing else places; null for by cost.
  DeviceAttr defaultDevice = {};
  /// How many looks at each edge of its network a minimum cut may take, on
  /// average; 0 is no limit.
  int64_t workLimit = 100;
  /// Whether to compute the price as well.
  bool wantsPrice = false;
  /// Measured times, or null.
  Profile *profile = nullptr;
  PlacementObjective objective = PlacementObjective::Sum;
  /// Called with what is decided and its price, if that is wanted.
  std::function<void(const PlacementSolution &, const PlacementPrice &)>
      onDecided = {};
  /// Of a module that was placed before: what cost decided is decided anew, and
  /// not kept.
  bool reopensCosts = false;
};

/// Why an operation stands where it does, in order of priority.
enum class PlacementReason : uint8_t {
  /// Stands in a module that was placed before.
  Kept,
  /// The user's annotation, on the operation, around it, or on a copy.
  Pinned,
  /// A rule's annotation.
  Rule,
  /// Only the host runs it.
  Host,
  /// It should have run elsewhere but cannot.
  Fallback,
  /// The default device.
  Default,
  /// Decided by cost.
  Cost
};

/// The device of one operation.
struct PlacementDecision {
  Operation *op;
  /// With an ordinal, and with the annotation's unit and codegen.
  DeviceAttr device;
  /// As `hetero.origin` has it.
  StringAttr origin;
  PlacementReason reason;
  /// For a fallback: the device that was asked for.
  DeviceAttr wanted = {};
};

/// The copies between two devices, one per value and destination.
struct LinkTraffic {
  int64_t copies = 0;
  int64_t bytes = 0;
  /// Picoseconds.
  int64_t time = 0;
};

/// What goes from one node to another: each value once for all devices there.
struct NodeTraffic {
  int64_t from, to;
  int64_t crossings = 0;
  int64_t bytes = 0;
};

/// What the operations of one device cost.
struct DeviceLoad {
  int64_t ops = 0;
  /// Picoseconds.
  int64_t time = 0;
  /// Bytes that live at once.
  int64_t memory = 0;
};

/// Whether the memory of devices limits a placement.
enum class MemoryLimit {
  /// No capacity is given.
  None,
  /// The least cost fits.
  Idle,
  /// The least cost does not fit, so that the price may be above it.
  Binding
};

/// A device whose memory the least cost would exceed.
struct MemoryShortage {
  DeviceAttr device;
  int64_t needed, capacity;
};

/// Constants that are not kept on a device that is too small for them, but
/// copied there for each use, as placement estimates it.
struct StreamedConstants {
  DeviceAttr device;
  /// The host that has them, and the device, by number.
  DeviceIndex from = 0, to = 0;
  int64_t constants = 0;
  /// The reads of the graph that have a copy each, by number.
  SmallVector<unsigned, 0> reads = {};
  /// In one run of the program: bytes that are copied, and picoseconds.
  int64_t bytes = 0, time = 0;
  /// With so much memory all would be kept.
  int64_t neededBytes = 0;
};

/// By source and destination, of those between which something is copied: few
/// of all pairs.
template <typename T>
using ByLink = std::map<std::pair<DeviceIndex, DeviceIndex>, T>;

/// How long each device and each link works on one request.
struct MachineLoads {
  /// Picoseconds; with the copies of a device that cannot compute meanwhile.
  SmallVector<int64_t> devices;
  ByLink<int64_t> links;
};

/// What the objective is where all that is open stands on one device.
struct SingleDeviceCost {
  DeviceIndex device;
  int64_t cost;
};

/// The price of a placement.
struct PlacementPrice {
  PlacementObjective objective = PlacementObjective::Sum;
  /// What the objective makes small.
  int64_t cost = 0;
  /// No placement that keeps the annotations costs less.
  int64_t lowerBound = 0;
  /// True if that is proven: the bound is the cost, and the solver decided.
  bool isOptimal = false;
  int64_t copies = 0;
  ByLink<LinkTraffic> links;
  /// By from and to, where there are several nodes.
  SmallVector<NodeTraffic, 0> network;
  SmallVector<DeviceLoad> devices;
  MemoryLimit memory = MemoryLimit::None;
  SmallVector<StreamedConstants, 0> streams;
  /// Where the objective is not the sum.
  MachineLoads loads;
  /// The best of these that fit, where the objective is not the sum.
  std::optional<SingleDeviceCost> single;
};

/// The devices of the values that control flow or a function carries.
struct CarriedDevices {
  /// Control flow or a function.
  Operation *op;
  /// Of the results. Annotated results of a function count as the host here.
  SmallVector<DeviceAttr, 1> results;
  /// Of iteration arguments that no result is tied to (else the host), or of a
  /// function's arguments that are not annotated (else the host).
  SmallVector<DeviceAttr, 1> inits;
  /// Of the arguments of each block but the first.
  SmallVector<SmallVector<DeviceAttr>, 0> blocks;
};

/// The decisions of a module, in program order.
struct Placement {
  SmallVector<PlacementDecision, 0> decisions;
  SmallVector<CarriedDevices, 0> carried;
  /// Where the state lives that operations use.
  llvm::MapVector<Operation *, DeviceAttr> states;
  PlacementPrice price;
  SmallVector<MemoryShortage, 0> shortages;
  SmallVector<StreamedConstants, 0> streams;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_PLACEMENT_H
