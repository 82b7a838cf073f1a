//===- RouteCopies.cpp - Splits copies between unlinked devices -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy is end to end until here. Where the topology has no link from one
// device to the other, it becomes one copy for each link of the path that
// placement priced, through a buffer on each device on the way:
//
//   memref.copy %a, %b                    // gpu:0 -> gpu:1
//     ->
//   %h = memref.alloc() : memref<4xf32>
//   memref.copy %a, %h                    // gpu:0 -> host
//   memref.copy %h, %b                    // host -> gpu:1
//
// Over a `unified` link the next device has the buffer already:
//
//   %h = memref.memory_space_cast %a : memref<4xf32, gpu:0> to memref<4xf32>
//   memref.copy %h, %b                    // host -> gpu:1
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_ROUTECOPIESPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// The number of a buffer's device; none for a device out of the topology.
static std::optional<DeviceIndex> findDevice(const Topology &topology,
                                             Value buffer) {
  DeviceAttr device = getTypeDevice(buffer.getType());
  return device ? topology.lookup(device) : std::nullopt;
}

/// The devices between the two ends of a copy.
static SmallVector<DeviceIndex> findStops(const Topology &topology,
                                          memref::CopyOp copy) {
  auto from = findDevice(topology, copy.getSource());
  auto to = findDevice(topology, copy.getTarget());
  if (!from || !to || !isa<MemRefType>(copy.getSource().getType()))
    return {};
  return topology.getStops(*from, *to);
}

/// A buffer for what `source` holds, contiguous, on another device.
static Value allocateLike(OpBuilder &builder, Location loc, Value source,
                          DeviceAttr device) {
  auto type = cast<MemRefType>(source.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(memref::DimOp::create(builder, loc, source, i));
  return memref::AllocOp::create(
      builder, loc,
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(),
                      device.isHost() ? Attribute() : Attribute(device)),
      sizes);
}

/// The buffer as another device has it.
static Value shareBuffer(OpBuilder &builder, Location loc, Value buffer,
                         DeviceAttr device) {
  auto type = cast<MemRefType>(buffer.getType());
  auto shared =
      MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(),
                      device.isHost() ? Attribute() : Attribute(device));
  return memref::MemorySpaceCastOp::create(builder, loc, shared, buffer);
}

/// Leads a copy through the stops. Those that share memory with an end need no
/// buffer.
static void route(const Topology &topology, memref::CopyOp copy,
                  ArrayRef<DeviceIndex> stops) {
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  DeviceIndex from = *findDevice(topology, copy.getSource());
  DeviceIndex to = *findDevice(topology, copy.getTarget());
  for (; !stops.empty() && topology.isUnified(from, stops.front());
       stops = stops.drop_front()) {
    from = stops.front();
    copy.getSourceMutable().assign(
        shareBuffer(builder, loc, copy.getSource(), topology.getDevice(from)));
  }
  for (; !stops.empty() && topology.isUnified(stops.back(), to);
       stops = stops.drop_back()) {
    to = stops.back();
    copy.getTargetMutable().assign(
        shareBuffer(builder, loc, copy.getTarget(), topology.getDevice(to)));
  }
  Value source = copy.getSource();
  for (DeviceIndex stop : stops) {
    DeviceAttr device = topology.getDevice(stop);
    if (topology.isUnified(from, stop)) {
      source = shareBuffer(builder, loc, source, device);
    } else {
      Value buffer = allocateLike(builder, loc, source, device);
      auto part = memref::CopyOp::create(builder, loc, source, buffer);
      part->setDiscardableAttrs(copy->getDiscardableAttrDictionary());
      source = buffer;
    }
    from = stop;
  }
  copy.getSourceMutable().assign(source);
}

namespace {
struct RouteCopiesPass
    : public mlir::hetero::impl::RouteCopiesPassBase<RouteCopiesPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Topology topology = Topology::get(module);
    SmallVector<memref::CopyOp> copies;
    module.walk([&](memref::CopyOp op) { copies.push_back(op); });
    int64_t routed = 0, stopCount = 0;
    for (memref::CopyOp copy : copies) {
      SmallVector<DeviceIndex> stops = findStops(topology, copy);
      if (stops.empty())
        continue;
      route(topology, copy, stops);
      ++routed;
      stopCount += stops.size();
    }
    remarkSummary(module, getArgument(),
                  {{"routed", routed}, {"stops", stopCount}});
  }
};
} // namespace
