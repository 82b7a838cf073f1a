//===- PlaceGreedily.cpp - Places operations by the bytes around them -----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each open operation goes where the fewest bytes have to be copied, given the
// operations around it. A sweep in program order decides all of them, further
// sweeps improve, back and forth, until nothing moves. No move raises the sum
// of copied bytes.
//
//===----------------------------------------------------------------------===//

#include "PlacementGraph.h"

using namespace mlir;
using namespace mlir::hetero;

/// Sweeps after the first. Improvements run along chains within one sweep, so
/// that few are needed; the bound keeps the time linear.
static constexpr unsigned kMaxSweeps = 8;

/// Bytes to copy if the node stands on this device. The node itself does not
/// count as a user of its operands at this moment.
static int64_t getCopiedBytes(PlacementGraph &graph, const PlacementNode &node,
                              DeviceIndex device) {
  int64_t bytes = 0;
  for (ValueIndex value : graph.getReads(node)) {
    DeviceIndex from = graph.getValueDevice(value);
    bool isThere = from == kNone || from == device ||
                   graph.isReplicable(value) ||
                   graph.getUses(value, device) != 0;
    if (!isThere)
      bytes = addTimes(bytes, graph.values[value].bytes);
  }
  for (ValueIndex value = node.resultBegin; value < node.resultEnd; ++value)
    for (DeviceIndex to = 0; to < graph.topology.size(); ++to)
      if (to != device && graph.getUses(value, to) != 0)
        bytes = addTimes(bytes, graph.values[value].bytes);
  return bytes;
}

/// Puts a node on its best device, the host or the lowest number among equals.
/// Returns true if it moved.
static bool improve(PlacementGraph &graph, PlacementNode &node) {
  DeviceIndex before = node.device;
  if (before != kNone)
    graph.countReads(node, -1);
  DeviceIndex best = kNone;
  int64_t bestBytes = 0;
  std::string reason;
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device) {
    if (node.spec && !graph.topology.getDevice(device).meet(node.spec))
      continue;
    if (failed(canRunOn(node.op, graph.topology, device, reason)))
      continue;
    int64_t bytes = getCopiedBytes(graph, node, device);
    if (best != kNone && bytes >= bestBytes)
      continue;
    best = device;
    bestBytes = bytes;
  }
  node.device = best;
  graph.countReads(node, 1);
  return best != before;
}

void mlir::hetero::placeGreedily(PlacementGraph &graph) {
  SmallVector<PlacementNode *, 0> open;
  for (PlacementNode &node : graph.nodes)
    if (node.open)
      open.push_back(&node);
  for (PlacementNode *node : open)
    improve(graph, *node);
  for (unsigned sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool moved = false;
    std::reverse(open.begin(), open.end());
    for (PlacementNode *node : open)
      moved |= improve(graph, *node);
    if (!moved)
      return;
  }
}
