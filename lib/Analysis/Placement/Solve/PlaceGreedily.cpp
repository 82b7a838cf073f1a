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

#include "Analysis/Placement/Price/Replicas.h"

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
  SmallVector<DeviceIndex, 8> getCandidates(NodeIndex node) const;

  Assignment assignment;
  const PlacementGraph &graph;
  /// How many users need a value on a device. Undecided operations do not
  /// count.
  CountsByDevice uses;
};
} // namespace

Greedy::Greedy(Assignment start)
    : assignment(std::move(start)), graph(assignment.getGraph()),
      uses(graph.values.size()) {
  for (const FixedUse &use : graph.fixedUses)
    uses.add(use.value, use.device, 1);
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    countReads(node, 1);
}

void Greedy::countReads(NodeIndex node, int delta) {
  if (DeviceIndex device = assignment.getDevice(node); device != kNone)
    for (unsigned read : graph.readsOfNode.get(node))
      uses.add(graph.reads[read].value, device, delta);
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
                   uses.get(value, device) != 0;
    if (!isThere)
      bytes = addTimes(bytes, graph.values[value].bytes);
  }
  for (unsigned value : graph.resultsOfNode.get(node))
    for (const CountsByDevice::Entry &entry : uses.get(value))
      if (entry.device != device && entry.count != 0)
        bytes = addTimes(bytes, graph.values[value].bytes);
  return bytes;
}

/// The devices that have an operand or need a result, and the first that can
/// run it: on all others it costs what it does there.
SmallVector<DeviceIndex, 8> Greedy::getCandidates(NodeIndex node) const {
  SmallVector<DeviceIndex, 8> devices;
  auto add = [&](ValueIndex value) {
    for (const CountsByDevice::Entry &entry : uses.get(value))
      devices.push_back(entry.device);
  };
  for (unsigned read : graph.readsOfNode.get(node)) {
    ValueIndex value = graph.reads[read].value;
    add(value);
    if (DeviceIndex home = assignment.getValueDevice(value); home != kNone)
      devices.push_back(home);
  }
  for (unsigned value : graph.resultsOfNode.get(node))
    add(value);
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
    if (graph.isAllowed(node, device)) {
      devices.push_back(device);
      break;
    }
  llvm::sort(devices);
  devices.erase(llvm::unique(devices), devices.end());
  return devices;
}

/// Puts a node on its best device, the host or the lowest number among equals.
/// Returns true if it moved.
bool Greedy::improve(NodeIndex node) {
  DeviceIndex before = assignment.getDevice(node);
  countReads(node, -1);
  DeviceIndex best = kNone;
  int64_t bestBytes = 0;
  for (DeviceIndex device : getCandidates(node)) {
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
