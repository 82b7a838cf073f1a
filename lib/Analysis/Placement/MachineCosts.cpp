//===- MachineCosts.cpp - What operations and copies cost -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/MachineCosts.h"

#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"

using namespace mlir;
using namespace mlir::hetero;

TimeEstimate mlir::hetero::estimateTime(Operation *op, const Topology &topology,
                                        DeviceIndex device, PlacementCost cost,
                                        Profile *profile) {
  DeviceAttr name = topology.getDevice(device);
  if (profile) {
    if (std::optional<int64_t> time = profile->lookup(op, name))
      return {*time, TimeSource::Measured};
    if (std::optional<int64_t> time = profile->estimate(op, name, cost))
      return {*time, TimeSource::Fitted};
  }
  return {topology.getComputeTime(op, device, cost), TimeSource::Model};
}

StringRef mlir::hetero::describeSource(TimeSource source) {
  switch (source) {
  case TimeSource::Model:
    return "";
  case TimeSource::Measured:
    return " (measured)";
  case TimeSource::Fitted:
    return " (by the roofline of measured operations)";
  }
  llvm_unreachable("all sources are handled");
}

MachineCosts::MachineCosts(Operation *module, Profile *profile)
    : profile(profile),
      topology(mlir::hetero::getTopology(cast<ModuleOp>(module), profile)),
      sizes(module), tree(cast<ModuleOp>(module)) {}

PlacementCost MachineCosts::getWork(Operation *op) const {
  return getPlacementCost(op, sizes);
}

std::optional<TimeEstimate> MachineCosts::getTime(Operation *op,
                                                  DeviceAttr device,
                                                  std::string *reason) const {
  std::string ignored;
  std::string &text = reason ? *reason : ignored;
  std::optional<DeviceIndex> index = topology.lookup(device);
  if (!index) {
    text = "the topology has no " + device.str();
    return std::nullopt;
  }
  if (failed(canRunOn(op, topology, *index, text)))
    return std::nullopt;
  return estimateTime(op, topology, *index, getWork(op), profile);
}

std::optional<int64_t> MachineCosts::getCopyTime(Value tensor, DeviceAttr from,
                                                 DeviceAttr to) const {
  std::optional<DeviceIndex> source = topology.lookup(from);
  std::optional<DeviceIndex> target = topology.lookup(to);
  if (!source || !target || !topology.isReachable(*source, *target))
    return std::nullopt;
  return topology.getTransferTime(*source, *target, sizes.getBytes(tensor));
}

double MachineCosts::getExecutions(Operation *op) const {
  return tree.getFrequency(tree.lookup(op->getBlock()));
}
