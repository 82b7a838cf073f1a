//===- ScheduledWork.cpp - What an order is looked for of -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduledWork.h"

#include "Transforms/Buffers/Buffers.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Transforms/Schedule/Streams.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::hetero;

DeviceAttr mlir::hetero::getBufferPlace(Value buffer) {
  DeviceAttr device = getTypeDevice(buffer.getType());
  if (!device)
    return DeviceAttr::getHost(buffer.getContext());
  return isHostAccessible(device)
             ? DeviceAttr::getHost(buffer.getContext()).onNode(device.getNode())
             : device;
}

/// The stream of a kernel, or the host of the node whose buffers it touches.
static DeviceAttr getPlace(Operation *op) {
  if (DeviceAttr stream = getKernelStream(op))
    return stream;
  DeviceAttr host = DeviceAttr::getHost(op->getContext());
  for (auto [buffer, writes] : getBufferUses(op))
    if (!getBufferDevice(buffer))
      return getBufferPlace(buffer);
  return host;
}

SmallVector<EngineKey, 2> WorkMaker::getEngines(Operation *op) const {
  auto copy = dyn_cast<memref::CopyOp>(op);
  if (!copy)
    return {{getPlace(op), EngineRole::Compute, Attribute()}};
  DeviceAttr from = getBufferPlace(copy.getSource()),
             to = getBufferPlace(copy.getTarget());
  if (from == to)
    return {{from, EngineRole::Compute, Attribute()}};
  SmallVector<EngineKey, 2> engines;
  DeviceIndex source = getIndex(from);
  for (auto [device, role, peer] :
       getCopyEngines(topology, source, getIndex(to)))
    engines.push_back(
        {device == source ? from : to, role,
         role == EngineRole::Transfer ? Attribute(to) : Attribute()});
  return engines;
}

/// A host that computes does nothing else meanwhile.
Work WorkMaker::make(Operation *op) {
  Work work{{op}, getEngines(op), Attribute(), getTime(op)};
  if (work.engines.size() == 1) {
    auto [device, role, peer] = work.engines.front();
    if (role == EngineRole::Compute && cast<DeviceAttr>(device).isHostOfNode())
      work.host = device;
  }
  return work;
}

DeviceIndex WorkMaker::getIndex(DeviceAttr device) const {
  return topology.lookup(device).value_or(Topology::kHost);
}

int64_t WorkMaker::getTime(Operation *op) {
  int64_t time = 0;
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    DeviceAttr from = getBufferPlace(copy.getSource());
    DeviceAttr to = getBufferPlace(copy.getTarget());
    int64_t bytes = sizes.getBytes(copy.getSource());
    time = from == to
               ? topology.getRooflineTime(getIndex(to),
                                          {0, addTimes(bytes, bytes)})
               : topology.getTransferTime(getIndex(from), getIndex(to), bytes);
  } else if (auto kernel = dyn_cast<linalg::LinalgOp>(op)) {
    PlacementCost cost = getPlacementCost(op, sizes);
    // The cost counts what is read, and results.
    for (Value init : kernel.getDpsInits())
      cost.bytes = addTimes(cost.bytes, sizes.getBytes(init));
    time = topology.getRooflineTime(getIndex(getPlace(op)), cost);
  } else {
    llvm::SmallDenseSet<Value> roots;
    int64_t bytes = 0;
    for (auto [buffer, writes] : getBufferUses(op))
      if (roots.insert(getRootBuffer(buffer)).second && !isInside(buffer, op))
        bytes = addTimes(bytes, sizes.getBytes(buffer));
    time = topology.getRooflineTime(getIndex(getPlace(op)), {0, bytes});
  }
  return std::clamp<int64_t>(time, 1, kMostWorkTime);
}

Work WorkMaker::makeRegion(ArrayRef<Operation *> ops) {
  Work work;
  for (Operation *op : ops) {
    work.ops.push_back(op);
    work.time = std::min(work.time + getTime(op), kMostWorkTime);
    // Marks touch nothing; what is between them is of one node.
    if (!work.host || !isa<HostRegionOp, EndHostRegionOp>(op))
      work.host = getPlace(op);
  }
  work.engines = {{work.host, EngineRole::Compute, Attribute()}};
  return work;
}
