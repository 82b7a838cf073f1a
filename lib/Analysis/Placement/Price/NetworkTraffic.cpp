//===- NetworkTraffic.cpp - What crosses between nodes --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The price counts a copy to each device that needs a value. Between nodes it
// crosses once for all of them, in the blocks where that is the seldomest:
// Transforms/Buffers/SharedCrossings.cpp puts it there.
//
//===----------------------------------------------------------------------===//

#include "NetworkTraffic.h"

#include "PlacementPrice.h"
#include "hetero/Analysis/Blocks/CopySites.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Counts for one placement.
class TrafficCounter {
public:
  explicit TrafficCounter(const PlacementGraph &graph)
      : graph(graph), topology(graph.topology) {}

  void add(const PricedCopy &copy);
  SmallVector<NodeTraffic, 0> finish();

private:
  using Nodes = std::pair<int64_t, int64_t>;
  /// Copies of one value from one node to another.
  struct Crossing {
    SmallVector<BlockIndex, 2> blocks;
    int64_t bytes;
  };

  int64_t getNode(DeviceIndex device) const {
    return topology.getDevice(device).getNode();
  }
  void cross(const PricedCopy &copy, Nodes nodes);
  void count(Nodes nodes, int64_t crossings, int64_t bytes);

  const PlacementGraph &graph;
  const Topology &topology;
  llvm::MapVector<std::pair<ValueIndex, Nodes>, Crossing> whole;
  std::map<Nodes, NodeTraffic> traffic;
};
} // namespace

void TrafficCounter::count(Nodes nodes, int64_t crossings, int64_t bytes) {
  auto [it, isNew] = traffic.try_emplace(nodes);
  NodeTraffic &sum = it->second;
  if (isNew)
    std::tie(sum.from, sum.to) = nodes;
  sum.crossings += crossings;
  for (int64_t i = 0; i < crossings; ++i)
    sum.bytes = addTimes(sum.bytes, bytes);
}

void TrafficCounter::cross(const PricedCopy &copy, Nodes nodes) {
  if (copy.isPartial)
    return count(nodes, 1, copy.bytes);
  Crossing &crossing = whole[{copy.value, nodes}];
  crossing.blocks.push_back(copy.block);
  crossing.bytes = copy.bytes;
}

void TrafficCounter::add(const PricedCopy &copy) {
  SmallVector<DeviceIndex> way = topology.getStops(copy.from, copy.to);
  way.push_back(copy.to);
  int64_t at = getNode(copy.from);
  for (DeviceIndex stop : way) {
    int64_t next = getNode(stop);
    if (next != at)
      cross(copy, {at, next});
    at = next;
  }
}

SmallVector<NodeTraffic, 0> TrafficCounter::finish() {
  for (auto &[key, crossing] : whole) {
    auto [value, nodes] = key;
    CopySites sites =
        chooseCopySites(graph.tree, graph.values[value].block, crossing.blocks,
                        std::max<int64_t>(crossing.bytes, 1));
    count(nodes, sites.blocks.size(), crossing.bytes);
  }
  return llvm::to_vector_of<NodeTraffic, 0>(llvm::make_second_range(traffic));
}

SmallVector<NodeTraffic, 0>
mlir::hetero::countNetworkTraffic(const Assignment &assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  if (!graph.topology.hasNodes())
    return {};
  TrafficCounter counter(graph);
  computePrice(assignment, [&](const PricedCopy &copy) { counter.add(copy); });
  return counter.finish();
}
