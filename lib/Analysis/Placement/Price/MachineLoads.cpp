//===- MachineLoads.cpp - How long devices and links work -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineLoads.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Adds copies, which come value by value, to loads.
class LoadCounter {
public:
  explicit LoadCounter(const PlacementGraph &graph)
      : graph(graph), topology(graph.topology) {
    loads.devices.resize(topology.size());
  }

  void add(const PricedCopy &copy);

  MachineLoads loads;

private:
  void cross(DeviceIndex from, DeviceIndex to, const PricedCopy &copy);

  const PlacementGraph &graph;
  const Topology &topology;
  ValueIndex current = kNone;
  /// Links that the value has crossed, with the block.
  llvm::SmallDenseSet<std::tuple<DeviceIndex, DeviceIndex, BlockIndex>> crossed;
};
} // namespace

void LoadCounter::cross(DeviceIndex from, DeviceIndex to,
                        const PricedCopy &copy) {
  if (!copy.isPartial && !crossed.insert({from, to, copy.block}).second)
    return;
  int64_t time = graph.tree.scale(
      topology.getTransferTime(from, to, copy.bytes), copy.block);
  auto charge = [&](int64_t &load) { load = addTimes(load, time); };
  charge(loads.links[{from, to}]);
  for (DeviceIndex end : {from, to})
    if (!topology.overlapsCopies(end))
      charge(loads.devices[end]);
}

void LoadCounter::add(const PricedCopy &copy) {
  if (std::exchange(current, copy.value) != copy.value)
    crossed.clear();
  DeviceIndex from = copy.from;
  for (DeviceIndex stop : topology.getStops(copy.from, copy.to)) {
    cross(from, stop, copy);
    from = stop;
  }
  cross(from, copy.to, copy);
}

PlacementPrice mlir::hetero::computeLoads(const Assignment &assignment) {
  LoadCounter counter(assignment.getGraph());
  PlacementPrice price = computePrice(
      assignment, [&](const PricedCopy &copy) { counter.add(copy); });
  for (auto [load, device] :
       llvm::zip_equal(counter.loads.devices, price.devices))
    load = addTimes(load, device.time);
  price.loads = std::move(counter.loads);
  return price;
}

int64_t mlir::hetero::getLargest(const MachineLoads &loads) {
  int64_t largest = 0;
  for (int64_t load : loads.devices)
    largest = std::max(largest, load);
  for (const auto &[link, load] : loads.links)
    largest = std::max(largest, load);
  return largest;
}
