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
ReplicaCounts mlir::hetero::countReplicas(const PlacementGraph &graph) {
  unsigned numDevices = graph.topology.size();
  ReplicaCounts counts(graph.nodes.size() * numDevices, 0);
  SmallVector<std::pair<NodeIndex, DeviceIndex>, 0> worklist;
  auto want = [&](ValueIndex value, DeviceIndex device) {
    NodeIndex producer = graph.values[value].producer;
    if (device == kNone || !graph.isReplicable(value))
      return;
    if (counts[producer * numDevices + device]++ == 0)
      worklist.push_back({producer, device});
  };
  graph.visitPlacedReads(want);
  while (!worklist.empty()) {
    auto [node, device] = worklist.pop_back_val();
    for (unsigned read : graph.readsOfNode.get(node))
      want(graph.reads[read].value, device);
  }
  return counts;
}

void mlir::hetero::placeReplicas(PlacementGraph &graph) {
  ReplicaCounts wanted = countReplicas(graph);
  unsigned numDevices = graph.topology.size();
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    PlacementNode &node = graph.nodes[index];
    if (!node.replicable || node.device != kNone)
      continue;
    // Where nothing needs it: on the first device that can have it.
    for (bool mustBeWanted : {true, false})
      for (DeviceIndex device = 0; device < numDevices; ++device)
        if (node.device == kNone && graph.isAllowed(index, device) &&
            (!mustBeWanted || wanted[index * numDevices + device]))
          node.device = device;
  }
}
