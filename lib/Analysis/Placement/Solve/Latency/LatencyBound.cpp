//===- LatencyBound.cpp - What no placement is faster than ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LatencyBound.h"

#include "Analysis/Placement/Price/LatencyTasks.h"
#include "Analysis/Placement/Solve/PlaceForThroughput.h"
#include "hetero/Support/Solvers/LoadBound.h"

using namespace mlir;
using namespace mlir::hetero;

/// Most devices of what is one placement by itself.
static constexpr unsigned kMostOnWays = 64;

namespace {
/// Finds by when operations can have ended, for each of their devices.
class PathBounder {
public:
  PathBounder(const Assignment &decided, const ProgramSegments &segments)
      : decided(decided), graph(decided.getGraph()), segments(segments),
        numDevices(graph.topology.size()),
        ends(graph.nodes.size() * numDevices, kNever),
        bounds(segments.size(), 0) {}

  int64_t run();

private:
  bool mayBeOn(NodeIndex node, DeviceIndex device) const;
  int64_t getEnd(ValueIndex value, DeviceIndex device,
                 SegmentIndex segment) const;
  int64_t getArrival(ValueIndex value, DeviceIndex device, BlockIndex block,
                     SegmentIndex segment) const;
  void addNode(NodeIndex node);

  const Assignment &decided;
  const PlacementGraph &graph;
  const ProgramSegments &segments;
  unsigned numDevices;
  /// By node * devices + device; INT64_MAX where it cannot be.
  SmallVector<int64_t, 0> ends;
  SmallVector<int64_t, 0> bounds;
};
} // namespace

/// Whether some placement has the node there.
bool PathBounder::mayBeOn(NodeIndex node, DeviceIndex device) const {
  if (graph.nodes[node].open || decided.isReplicated(node))
    return graph.isAllowed(node, device);
  return decided.getDevice(node) == device;
}

/// By when a value can be on a device if it is made or given there.
int64_t PathBounder::getEnd(ValueIndex value, DeviceIndex device,
                            SegmentIndex segment) const {
  NodeIndex producer = graph.values[value].producer;
  if (producer == kNone)
    return graph.values[value].device == device ? 0 : kNever;
  if (graph.nodes[producer].takesTime() &&
      segments.getOfNode(producer) == segment)
    return ends[producer * numDevices + device];
  return mayBeOn(producer, device) ? 0 : kNever;
}

/// By when it can be there if it comes from anywhere. A copy of a value of
/// another segment, or of a block around, may be through by then.
int64_t PathBounder::getArrival(ValueIndex value, DeviceIndex device,
                                BlockIndex block, SegmentIndex segment) const {
  const PlacementValue &v = graph.values[value];
  if (segments.getOfValue(value) != segment || v.block != block)
    return 0;
  if (decided.isValueReplicated(value))
    return getEnd(value, device, segment);
  int64_t least = kNever;
  for (DeviceIndex from = 0; from < numDevices; ++from) {
    int64_t end = getEnd(value, from, segment);
    int64_t time = from == device
                       ? 0
                       : graph.tree.scale(
                             graph.getTransferTime(value, from, device), block);
    least = std::min(least, addTimes(end, time));
  }
  return least;
}

void PathBounder::addNode(NodeIndex node) {
  SegmentIndex segment = segments.getOfNode(node);
  int64_t least = kNever;
  for (DeviceIndex device = 0; device < numDevices; ++device) {
    if (!mayBeOn(node, device))
      continue;
    int64_t start = 0;
    for (unsigned read : graph.readsOfNode.get(node))
      start = std::max(start, getArrival(graph.reads[read].value, device,
                                         graph.reads[read].block, segment));
    int64_t end = addTimes(start, graph.getTime(node, device));
    ends[node * numDevices + device] = end;
    least = std::min(least, end);
  }
  // What is made wherever it is needed may be needed nowhere.
  if (!decided.isReplicated(node))
    bounds[segment] = std::max(bounds[segment], least);
}

int64_t PathBounder::run() {
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (graph.nodes[node].takesTime())
      addNode(node);
  for (const FixedUse &use : graph.fixedUses) {
    SegmentIndex segment = segments.getOfValue(use.value);
    bounds[segment] = std::max(
        bounds[segment], getArrival(use.value, use.device, use.block, segment));
  }
  int64_t bound = 0;
  for (int64_t part : bounds)
    bound = addTimes(bound, part);
  return bound;
}

int64_t mlir::hetero::boundPath(const Assignment &decided,
                                const ProgramSegments &segments) {
  return PathBounder(decided, segments).run();
}

LatencyProof mlir::hetero::proveLatency(const Assignment &decided,
                                        const MergedGroups &merged,
                                        const ProgramSegments &segments,
                                        int64_t cost) {
  // Ways are looked for on each device.
  if (decided.getGraph().isDecided() &&
      decided.getGraph().topology.size() > kMostOnWays)
    return {LatencyProof::Kind::Enumeration,
            collectTasks(decided, segments).getBound()};
  LatencyProof proof{LatencyProof::Kind::Path, boundPath(decided, segments)};
  auto offer = [&](LatencyProof::Kind kind, int64_t bound) {
    if (bound > proof.bound)
      proof = {kind, bound};
  };
  if (proof.bound >= cost)
    return proof;
  Assignment open = merged.merge(decided);
  LoadModel model(open);
  if (!hasFewPlacements(model)) {
    offer(LatencyProof::Kind::Loads,
          boundLoads(model.getProblem(), cost, proof.bound - 1).target + 1);
    return proof;
  }
  int64_t least = kNever;
  forEachPlacement(model, [&](const LoadSolution &solution) {
    Assignment placement = merged.spread(model.getAssignment(solution));
    least = std::min(least, collectTasks(placement, segments).getBound());
  });
  offer(LatencyProof::Kind::Enumeration, least);
  return proof;
}
