//===- Colocation.cpp - Nodes that stand on one device --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Colocation.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Decides one group.
class GroupDecider {
public:
  GroupDecider(PlacementGraph &graph, Assignment &assignment, StringAttr name,
               ArrayRef<NodeIndex> members)
      : graph(graph), assignment(assignment), name(name), members(members) {}

  LogicalResult run(bool toHost);

private:
  bool isPinned(NodeIndex index) const;
  bool admits(NodeIndex index, DeviceIndex device, bool keepsDefault) const;
  SmallVector<DeviceIndex> intersect(ArrayRef<NodeIndex> nodes,
                                     bool keepsDefault) const;
  LogicalResult rejectPins(NodeIndex first, NodeIndex second);
  LogicalResult rejectAll();
  void settle(DeviceIndex device, bool staysOpen);

  PlacementGraph &graph;
  Assignment &assignment;
  StringAttr name;
  ArrayRef<NodeIndex> members;
};
} // namespace

bool GroupDecider::isPinned(NodeIndex index) const {
  PlacementReason reason = graph.nodes[index].reason;
  return reason == PlacementReason::Kept || reason == PlacementReason::Pinned ||
         reason == PlacementReason::Rule;
}

/// Annotations bind; a default does as long as the whole group can follow it.
bool GroupDecider::admits(NodeIndex index, DeviceIndex device,
                          bool keepsDefault) const {
  const PlacementNode &node = graph.nodes[index];
  bool isBound = isPinned(index) ||
                 (keepsDefault && node.reason == PlacementReason::Default);
  if (!isBound)
    return graph.canRunOn(index, device);
  return node.open ? graph.isAllowed(index, device)
                   : assignment.getDevice(index) == device;
}

SmallVector<DeviceIndex> GroupDecider::intersect(ArrayRef<NodeIndex> nodes,
                                                 bool keepsDefault) const {
  SmallVector<DeviceIndex> devices;
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
    if (llvm::all_of(nodes, [&](NodeIndex node) {
          return admits(node, device, keepsDefault);
        }))
      devices.push_back(device);
  return devices;
}

LogicalResult GroupDecider::rejectPins(NodeIndex first, NodeIndex second) {
  Operation *op = graph.nodes[second].op, *other = graph.nodes[first].op;
  InFlightDiagnostic error =
      emitError(op->getLoc())
      << "'" << op->getName() << "' op ("
      << graph.nodes[second].origin.getValue()
      << ") cannot be on one device with the others of hetero.colocate = "
      << name << "; change one of the annotations or the name";
  error.attachNote(other->getLoc())
      << "'" << other->getName() << "' op is one of them ("
      << graph.nodes[first].origin.getValue() << ")";
  return failure();
}

/// Names an operation for each device that it is in the way of.
LogicalResult GroupDecider::rejectAll() {
  Operation *op = graph.nodes[members.front()].op;
  InFlightDiagnostic error =
      emitError(op->getLoc())
      << "'" << op->getName()
      << "' op and the others of hetero.colocate = " << name
      << " have no device in common; give some of them another name";
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device) {
    const NodeIndex *index = llvm::find_if(members, [&](NodeIndex node) {
      return !admits(node, device, /*keepsDefault=*/false);
    });
    const PlacementNode &node = graph.nodes[*index];
    std::string reason;
    if (isPinned(*index))
      reason = node.origin.getValue().str();
    else
      (void)canRunOn(node.op, graph.topology, device, reason);
    error.attachNote(node.op->getLoc())
        << graph.topology.getDevice(device).str() << " is excluded by '"
        << node.op->getName() << "' op"
        << (reason.empty() ? "" : " (" + reason + ")");
  }
  return failure();
}

/// What the group decides for an operation counts as a pin: it is made there
/// and nowhere else.
void GroupDecider::settle(DeviceIndex device, bool staysOpen) {
  for (NodeIndex index : members) {
    PlacementNode &node = graph.nodes[index];
    node.open = staysOpen;
    bool changes =
        assignment.isReplicated(index) || assignment.getDevice(index) != device;
    assignment.setDevice(index, device);
    assignment.setReplicated(index, false);
    if (isPinned(index) || !changes)
      continue;
    node.reason = PlacementReason::Pinned;
    node.origin = StringAttr::get(node.op->getContext(),
                                  "pinned with " + name.getValue());
  }
}

LogicalResult GroupDecider::run(bool toHost) {
  const NodeIndex *first =
      llvm::find_if(members, [&](NodeIndex node) { return isPinned(node); });
  for (NodeIndex node : members)
    if (first != members.end() && isPinned(node) &&
        intersect({*first, node}, /*keepsDefault=*/true).empty())
      return rejectPins(*first, node);
  SmallVector<DeviceIndex> devices = intersect(members, /*keepsDefault=*/true);
  if (devices.empty())
    devices = intersect(members, /*keepsDefault=*/false);
  if (devices.empty())
    return rejectAll();
  bool isOpen = devices.size() > 1;
  if (isOpen)
    graph.groups.push_back({{members.begin(), members.end()}, devices});
  if (!isOpen || toHost) {
    settle(devices.front(), isOpen);
    return success();
  }
  for (NodeIndex index : members) {
    PlacementNode &node = graph.nodes[index];
    // Made once, and copied from there.
    if (assignment.isReplicated(index) && !isPinned(index))
      node.origin = StringAttr::get(node.op->getContext(),
                                    "pinned with " + name.getValue());
    assignment.setReplicated(index, false);
    node.open = true;
    assignment.setDevice(index, kNone);
  }
  return success();
}

LogicalResult mlir::hetero::decideColocated(PlacementGraph &graph,
                                            Assignment &assignment,
                                            bool toHost) {
  using Key = std::pair<Operation *, Attribute>;
  llvm::MapVector<Key, SmallVector<NodeIndex>> groups;
  for (NodeIndex index : graph.colocated) {
    Operation *op = graph.nodes[index].op;
    if (auto name = op->getAttrOfType<StringAttr>(kColocateAttrName))
      groups[{op->getParentOfType<FunctionOpInterface>(), name}].push_back(
          index);
  }
  bool hasErrors = false;
  for (auto &[key, members] : groups)
    hasErrors |= failed(
        GroupDecider(graph, assignment, cast<StringAttr>(key.second), members)
            .run(toHost));
  return failure(hasErrors);
}
