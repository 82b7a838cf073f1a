//===- SharedRoutes.cpp - Ways that copies have in common -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where no link joins gpu:0 with gpu:1 and gpu:2, copies to both go through the
// host, and placement for throughput counts the link to it once:
//
//   %1 = hetero.copy %0 : gpu:0 -> gpu:1
//   %2 = hetero.copy %0 : gpu:0 -> gpu:2
//     ->
//   %h = hetero.copy %0 : gpu:0 -> host
//   %1 = hetero.copy %h : host -> gpu:1
//   %2 = hetero.copy %h : host -> gpu:2
//
// Between nodes copies in different blocks share their way as well
// (SharedCrossings.cpp). This is done on tensors, of which nobody overwrites
// one between two copies, and right before bufferization, since copies of
// copies fold until then.
//
//===----------------------------------------------------------------------===//

#include "SharedRoutes.h"

#include "SharedCrossings.h"
#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// The copies of one value in one block, in their order.
class RouteSharer {
public:
  RouteSharer(const Topology &topology, ArrayRef<CopyOp> copies)
      : topology(topology), copies(copies) {}

  int64_t run();

private:
  /// The devices after the source's, up to that of the result; none where the
  /// topology does not know the ends.
  SmallVector<DeviceIndex> findWay(CopyOp copy) const;
  Value bring(CopyOp copy, Value from, DeviceIndex to);
  void lead(CopyOp copy);

  const Topology &topology;
  ArrayRef<CopyOp> copies;
  /// How many ways lead to or over a device.
  llvm::SmallDenseMap<DeviceIndex, unsigned> uses;
  /// The value where it has been brought so far.
  llvm::SmallDenseMap<DeviceIndex, Value> there;
  int64_t numShared = 0;
};
} // namespace

SmallVector<DeviceIndex> RouteSharer::findWay(CopyOp copy) const {
  std::optional<DeviceIndex> from = topology.lookup(copy.getSourceDevice());
  std::optional<DeviceIndex> to = topology.lookup(copy.getResultDevice());
  if (!from || !to || *from == *to)
    return {};
  SmallVector<DeviceIndex> way = topology.getStops(*from, *to);
  way.push_back(*to);
  return way;
}

/// Another copy of the value, under its name, before this one.
Value RouteSharer::bring(CopyOp copy, Value from, DeviceIndex to) {
  OpBuilder builder(copy);
  auto part =
      CopyOp::create(builder, copy.getLoc(),
                     withDevice(from.getType(), topology.getDevice(to)), from);
  part->setDiscardableAttrs(copy->getDiscardableAttrDictionary());
  return part.getResult();
}

/// Leads a copy over the devices that others need as well. What shares memory
/// with the device before it needs no copy of its own.
void RouteSharer::lead(CopyOp copy) {
  SmallVector<DeviceIndex> way = findWay(copy);
  if (way.empty())
    return;
  Value source = copy.getSource();
  DeviceIndex before = *topology.lookup(copy.getSourceDevice());
  for (DeviceIndex stop : ArrayRef(way).drop_back()) {
    if (uses[stop] > 1 && !topology.isUnified(before, stop)) {
      Value &known = there[stop];
      if (known)
        ++numShared;
      else
        known = bring(copy, source, stop);
      source = known;
    }
    before = stop;
  }
  Value &known = there[way.back()];
  if (known) {
    ++numShared;
    copy.replaceAllUsesWith(known);
    copy.erase();
    return;
  }
  copy.getSourceMutable().assign(source);
  known = copy.getResult();
}

int64_t RouteSharer::run() {
  bool hasStops = false;
  for (CopyOp copy : copies) {
    SmallVector<DeviceIndex> way = findWay(copy);
    hasStops |= way.size() > 1;
    for (DeviceIndex device : way)
      ++uses[device];
  }
  if (hasStops)
    for (CopyOp copy : copies)
      lead(copy);
  return numShared;
}

int64_t mlir::hetero::shareRoutes(ModuleOp module) {
  Topology topology = Topology::get(module);
  int64_t numShared =
      topology.hasNodes() ? shareCrossings(module, topology) : 0;
  llvm::MapVector<std::pair<Value, Block *>, SmallVector<CopyOp>> copies;
  module.walk([&](CopyOp copy) {
    copies[{copy.getSource(), copy->getBlock()}].push_back(copy);
  });
  for (auto &[place, list] : copies)
    if (list.size() > 1)
      numShared += RouteSharer(topology, list).run();
  return numShared;
}
