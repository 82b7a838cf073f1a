//===- ProgramNodes.cpp - The nodes that a program runs on ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Nodes/ProgramNodes.h"

#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::hetero;

static constexpr double kSecondsPerPicosecond = 1e-12;

/// As copies see it, over whatever lies between the two.
static NodeLink describeLink(const Topology &topology, DeviceAttr from,
                             DeviceAttr to) {
  constexpr int64_t kBytes = int64_t(1) << 30;
  std::optional<DeviceIndex> source = topology.lookup(from);
  std::optional<DeviceIndex> target = topology.lookup(to);
  NodeLink link{/*bytesPerSecond=*/10e9, /*latencySeconds=*/5e-6};
  if (from == to || !source || !target ||
      !topology.isReachable(*source, *target))
    return link;
  int64_t latency = topology.getTransferTime(*source, *target, 0);
  int64_t time = topology.getTransferTime(*source, *target, kBytes);
  link.latencySeconds = latency * kSecondsPerPicosecond;
  link.bytesPerSecond =
      kBytes / (std::max<int64_t>(time - latency, 1) * kSecondsPerPicosecond);
  return link;
}

static ProgramNodes describe(MLIRContext *context, const Topology &topology) {
  ProgramNodes nodes;
  for (DeviceIndex index = 0; index < topology.size(); ++index) {
    DeviceAttr device = topology.getDevice(index);
    nodes.count = std::max<int32_t>(nodes.count, device.getNode() + 1);
    nodes.numGPUs.resize(nodes.count);
    if (device.getKind() == "gpu")
      nodes.numGPUs[device.getNode()] = std::max<int32_t>(
          nodes.numGPUs[device.getNode()], device.getOrdinal() + 1);
  }
  DeviceAttr host = DeviceAttr::getHost(context);
  for (int32_t from = 0; from < nodes.count; ++from)
    for (int32_t to = 0; to < nodes.count; ++to)
      nodes.links.push_back(
          describeLink(topology, host.onNode(from), host.onNode(to)));
  return nodes;
}

ProgramNodes mlir::hetero::describeNodes(Compilation &compilation) {
  OwningOpRef<ModuleOp> module =
      compilation.runUntil(Phase::Annotated, /*isQuiet=*/true);
  if (!module)
    return ProgramNodes();
  MLIRContext *context = module->getContext();
  DeviceAttr defaultDevice =
      parseDevice(compilation.getOptions().defaultDevice, context);
  ProgramNodes nodes = describe(context, Topology::get(*module, defaultDevice));
  if (nodes.count == 1)
    return nodes;
  // No work may be left for what is only a default.
  module = compilation.runUntil(Phase::Partitioned, /*isQuiet=*/true);
  return module ? describe(context, Topology::get(*module)) : nodes;
}
