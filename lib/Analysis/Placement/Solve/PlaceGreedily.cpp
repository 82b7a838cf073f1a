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

#include "PlaceGreedily.h"

using namespace mlir;
using namespace mlir::hetero;

/// Sweeps after the first. Improvements run along chains within one sweep, so
/// that few are needed; the bound keeps the time linear.
static constexpr unsigned kMaxSweeps = 8;

namespace {
/// Places the open nodes of one graph.
class Greedy {
public:
  explicit Greedy(Assignment start);
  Assignment run();

private:
  int64_t getCopiedBytes(NodeIndex node, DeviceIndex device);
  bool improve(NodeIndex node);
  void countReads(NodeIndex node, int delta);
  uint32_t &getUses(ValueIndex value, DeviceIndex device) {
    return uses[size_t(value) * graph.topology.size() + device];
  }

  Assignment assignment;
  const PlacementGraph &graph;
  /// How many users need value v on device d, at v * devices + d. Undecided
  /// operations do not count.
  SmallVector<uint32_t, 0> uses;
};
} // namespace

Greedy::Greedy(Assignment start)
    : assignment(std::move(start)), graph(assignment.getGraph()) {
  uses.assign(graph.values.size() * graph.topology.size(), 0);
  for (const FixedUse &use : graph.fixedUses)
    ++getUses(use.value, use.device);
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    countReads(node, 1);
}

void Greedy::countReads(NodeIndex node, int delta) {
  if (DeviceIndex device = assignment.getDevice(node); device != kNone)
    for (unsigned read : graph.readsOfNode.get(node))
      getUses(graph.reads[read].value, device) += delta;
}

/// Bytes to copy if the node stands on this device. The node itself does not
/// count as a user of its operands at this moment.
int64_t Greedy::getCopiedBytes(NodeIndex node, DeviceIndex device) {
  int64_t bytes = 0;
  for (unsigned read : graph.readsOfNode.get(node)) {
    ValueIndex value = graph.reads[read].value;
    if (graph.values[value].producer == node)
      continue;
    DeviceIndex from = assignment.getValueDevice(value);
    bool isThere = from == kNone || from == device ||
                   assignment.isValueReplicated(value) ||
                   getUses(value, device) != 0;
    if (!isThere)
      bytes = addTimes(bytes, graph.values[value].bytes);
  }
  for (unsigned value : graph.resultsOfNode.get(node))
    for (DeviceIndex to = 0; to < graph.topology.size(); ++to)
      if (to != device && getUses(value, to) != 0)
        bytes = addTimes(bytes, graph.values[value].bytes);
  return bytes;
}

/// Puts a node on its best device, the host or the lowest number among equals.
/// Returns true if it moved.
bool Greedy::improve(NodeIndex node) {
  DeviceIndex before = assignment.getDevice(node);
  countReads(node, -1);
  DeviceIndex best = kNone;
  int64_t bestBytes = 0;
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device) {
    if (!graph.isAllowed(node, device))
      continue;
    int64_t bytes = getCopiedBytes(node, device);
    if (best != kNone && bytes >= bestBytes)
      continue;
    best = device;
    bestBytes = bytes;
  }
  assignment.setDevice(node, best);
  countReads(node, 1);
  return best != before;
}

Assignment Greedy::run() {
  SmallVector<NodeIndex, 0> open;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (graph.nodes[node].open)
      open.push_back(node);
  for (NodeIndex node : open)
    improve(node);
  for (unsigned sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool moved = false;
    std::reverse(open.begin(), open.end());
    for (NodeIndex node : open)
      moved |= improve(node);
    if (!moved)
      break;
  }
  return std::move(assignment);
}

Assignment mlir::hetero::placeGreedily(Assignment start) {
  return Greedy(std::move(start)).run();
}
