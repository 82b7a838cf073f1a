//===- Replicas.cpp - Who needs what is made again ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replicas.h"

using namespace mlir;
using namespace mlir::hetero;

/// What nothing needs anywhere is not made, so wants spread from the readers
/// that are placed to what their operands are made from.
ReplicaCounts mlir::hetero::countReplicas(const Assignment &assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  unsigned numDevices = graph.topology.size();
  ReplicaCounts counts(graph.nodes.size() * numDevices, 0);
  SmallVector<std::pair<NodeIndex, DeviceIndex>, 0> worklist;
  auto want = [&](ValueIndex value, DeviceIndex device) {
    NodeIndex producer = graph.values[value].producer;
    if (device == kNone || !assignment.isValueReplicated(value))
      return;
    if (counts[producer * numDevices + device]++ == 0)
      worklist.push_back({producer, device});
  };
  assignment.visitPlacedReads(want);
  while (!worklist.empty()) {
    auto [node, device] = worklist.pop_back_val();
    for (unsigned read : graph.readsOfNode.get(node))
      want(graph.reads[read].value, device);
  }
  return counts;
}

void mlir::hetero::placeReplicas(Assignment &assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  ReplicaCounts wanted = countReplicas(assignment);
  unsigned numDevices = graph.topology.size();
  auto findDevice = [&](NodeIndex node, bool mustBeWanted) {
    for (DeviceIndex device = 0; device < numDevices; ++device)
      if (graph.isAllowed(node, device) &&
          (!mustBeWanted || wanted[node * numDevices + device]))
        return device;
    return kNone;
  };
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (!assignment.isReplicated(node) || assignment.getDevice(node) != kNone)
      continue;
    DeviceIndex device = findDevice(node, /*mustBeWanted=*/true);
    // Where nothing needs it: on the first device that can have it.
    assignment.setDevice(node,
                         device != kNone ? device : findDevice(node, false));
  }
}
