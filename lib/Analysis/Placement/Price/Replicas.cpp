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

/// Where the device's entry is, or would be.
template <typename Entries>
static auto findEntry(Entries &entries, DeviceIndex device) {
  return llvm::lower_bound(
      entries, device,
      [](const CountsByDevice::Entry &entry, DeviceIndex device) {
        return entry.device < device;
      });
}

unsigned CountsByDevice::get(unsigned index, DeviceIndex device) const {
  ArrayRef<Entry> known = get(index);
  const auto *entry = findEntry(known, device);
  return entry != known.end() && entry->device == device ? entry->count : 0;
}

unsigned CountsByDevice::add(unsigned index, DeviceIndex device, int change) {
  if (rows[index] == kNone) {
    rows[index] = entries.size();
    entries.emplace_back();
  }
  auto &known = entries[rows[index]];
  auto *entry = findEntry(known, device);
  if (entry == known.end() || entry->device != device)
    entry = known.insert(entry, {device, 0});
  return entry->count += change;
}

/// What nothing needs anywhere is not made, so wants spread from the readers
/// that are placed to what their operands are made from.
ReplicaCounts mlir::hetero::countReplicas(const Assignment &assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  ReplicaCounts counts(graph.nodes.size());
  SmallVector<std::pair<NodeIndex, DeviceIndex>, 0> worklist;
  auto want = [&](ValueIndex value, DeviceIndex device) {
    NodeIndex producer = graph.values[value].producer;
    if (device == kNone || !assignment.isValueReplicated(value))
      return;
    if (counts.add(producer, device, 1) == 1)
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
  auto findWanted = [&](NodeIndex node) {
    for (const ReplicaCounts::Entry &entry : wanted.get(node))
      if (entry.count != 0 && graph.isAllowed(node, entry.device))
        return entry.device;
    return kNone;
  };
  auto findAny = [&](NodeIndex node) {
    for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
      if (graph.isAllowed(node, device))
        return device;
    return kNone;
  };
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (!assignment.isReplicated(node) || assignment.getDevice(node) != kNone)
      continue;
    DeviceIndex device = findWanted(node);
    // Where nothing needs it: on the first device that can have it.
    assignment.setDevice(node, device != kNone ? device : findAny(node));
  }
}
