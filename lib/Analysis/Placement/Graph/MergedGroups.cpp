//===- MergedGroups.cpp - Colocated nodes as one --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MergedGroups.h"

using namespace mlir;
using namespace mlir::hetero;

/// What all of the group take together, where all of them may be.
static void mergeTimes(PlacementGraph &graph, const ColocationGroup &group) {
  NodeIndex leader = group.members.front();
  unsigned numDevices = graph.topology.size();
  for (DeviceIndex device = 0; device < numDevices; ++device) {
    int64_t &time = graph.times[size_t(leader) * numDevices + device];
    bool isAllowed = llvm::is_contained(group.devices, device);
    for (NodeIndex node : ArrayRef(group.members).drop_front())
      time = isAllowed ? addPossibleTimes(time, graph.getTime(node, device))
                       : kNever;
    time = isAllowed ? time : kNever;
  }
}

static void mergeGroup(PlacementGraph &graph, const ColocationGroup &group) {
  mergeTimes(graph, group);
  NodeIndex leader = group.members.front();
  for (NodeIndex node : group.members) {
    graph.nodes[node].spec = {};
    if (node == leader)
      continue;
    graph.nodes[node].open = false;
    graph.nodes[node].isTimed = false;
    for (unsigned read : graph.readsOfNode.get(node))
      graph.reads[read].node = leader;
    for (unsigned value : graph.resultsOfNode.get(node))
      graph.values[value].producer = leader;
  }
}

MergedGroups::MergedGroups(const PlacementGraph &graph) : graph(graph) {
  if (graph.groups.empty())
    return;
  merged.emplace(graph);
  merged->tellDevicesApart();
  for (const ColocationGroup &group : graph.groups)
    mergeGroup(*merged, group);
  merged->groupByNode();
}

Assignment MergedGroups::merge(Assignment assignment) const {
  assignment.setGraph(merged ? *merged : graph);
  return assignment;
}

Assignment MergedGroups::spread(Assignment assignment) const {
  assignment.setGraph(graph);
  for (const ColocationGroup &group : graph.groups)
    for (NodeIndex node : group.members)
      assignment.setDevice(node, assignment.getDevice(group.members.front()));
  return assignment;
}
