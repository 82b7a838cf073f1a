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
/// What the operations of a group have in common.
struct GroupName {
  /// In the origin of those that follow others.
  std::string text;
  /// After "the others".
  std::string description;
  /// What to do about annotations that contradict each other, and about what
  /// rules all devices out.
  StringRef pinRemedy, capabilityRemedy;
  /// Whether rules for some give way to annotations of others, and to rules for
  /// those before: no rule was written for the group.
  bool overrulesRules;
};

/// Decides one group.
class GroupDecider {
public:
  GroupDecider(PlacementGraph &graph, Assignment &assignment,
               const GroupName &name, ArrayRef<NodeIndex> members)
      : graph(graph), assignment(assignment), name(name), members(members) {}

  LogicalResult run(bool toHost);

private:
  bool isPinned(NodeIndex index) const;
  bool admits(NodeIndex index, DeviceIndex device, bool keepsDefault) const;
  SmallVector<DeviceIndex> intersect(ArrayRef<NodeIndex> nodes,
                                     bool keepsDefault) const;
  std::optional<NodeIndex> findLeader() const;
  void overrule(NodeIndex leader, NodeIndex other);
  LogicalResult rejectPins(NodeIndex first, NodeIndex second);
  LogicalResult rejectAll();
  void settle(DeviceIndex device, bool staysOpen);

  PlacementGraph &graph;
  Assignment &assignment;
  const GroupName &name;
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

/// The one that the others follow: the first that is annotated, or else that a
/// rule is for.
std::optional<NodeIndex> GroupDecider::findLeader() const {
  std::optional<NodeIndex> leader;
  for (NodeIndex node : members) {
    if (!isPinned(node))
      continue;
    bool isRule = graph.nodes[node].reason == PlacementReason::Rule;
    if (!leader || !isRule || !name.overrulesRules)
      leader = node;
    if (!isRule || !name.overrulesRules)
      break;
  }
  return leader;
}

/// The rule for `other` is not followed.
void GroupDecider::overrule(NodeIndex leader, NodeIndex other) {
  PlacementNode &node = graph.nodes[other];
  InFlightDiagnostic warning =
      emitWarning(node.op->getLoc())
      << "'" << node.op->getName() << "' op is where the others "
      << name.description << " are, not on " << node.spec.str() << " as "
      << node.origin.getValue() << " asks for";
  warning.attachNote(graph.nodes[leader].op->getLoc())
      << "'" << graph.nodes[leader].op->getName() << "' op is one of them ("
      << graph.nodes[leader].origin.getValue() << ")";
  node.spec = {};
  node.open = true;
  node.reason = PlacementReason::Cost;
}

LogicalResult GroupDecider::rejectPins(NodeIndex first, NodeIndex second) {
  Operation *op = graph.nodes[second].op, *other = graph.nodes[first].op;
  InFlightDiagnostic error = emitError(op->getLoc())
                             << "'" << op->getName() << "' op ("
                             << graph.nodes[second].origin.getValue()
                             << ") cannot be on one device with the others "
                             << name.description << "; " << name.pinRemedy;
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
      << "'" << op->getName() << "' op and the others " << name.description
      << " have no device in common; " << name.capabilityRemedy;
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
    node.origin =
        StringAttr::get(node.op->getContext(), "pinned with " + name.text);
  }
}

LogicalResult GroupDecider::run(bool toHost) {
  std::optional<NodeIndex> leader = findLeader();
  for (NodeIndex node : members) {
    if (!leader || !isPinned(node) ||
        !intersect({*leader, node}, /*keepsDefault=*/true).empty())
      continue;
    if (!name.overrulesRules ||
        graph.nodes[node].reason != PlacementReason::Rule)
      return rejectPins(*leader, node);
    overrule(*leader, node);
  }
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
      node.origin =
          StringAttr::get(node.op->getContext(), "pinned with " + name.text);
    assignment.setReplicated(index, false);
    node.open = true;
    assignment.setDevice(index, kNone);
  }
  return success();
}

/// Those of a function have the name from the user, those that use state are
/// of all functions.
static GroupName describeGroup(Operation *scope, StringAttr name) {
  std::string text = name.getValue().str();
  if (isa<FunctionOpInterface>(scope))
    return {text, "of hetero.colocate = \"" + text + "\"",
            "change one of the annotations or the name",
            "give some of them another name", /*overrulesRules=*/false};
  return {"@" + text, "that use @" + text, "change one of the annotations",
          "annotate the state with cpu:0", /*overrulesRules=*/true};
}

LogicalResult mlir::hetero::decideColocated(PlacementGraph &graph,
                                            Assignment &assignment,
                                            bool toHost) {
  using Key = std::pair<Operation *, StringAttr>;
  llvm::MapVector<Key, SmallVector<NodeIndex>> groups;
  bool hasErrors = false;
  for (NodeIndex index : graph.colocated) {
    Operation *op = graph.nodes[index].op;
    auto name = op->getAttrOfType<StringAttr>(kColocateAttrName);
    Operation *state = graph.states.lookup(index);
    if (state && name) {
      emitError(op->getLoc())
          << "'" << op->getName() << "' op is where the state that it uses is, "
          << "not with others of " << kColocateAttrName
          << "; annotate the state with a device instead";
      hasErrors = true;
    } else if (state) {
      groups[{state, SymbolTable::getSymbolName(state)}].push_back(index);
    } else if (name) {
      groups[{op->getParentOfType<FunctionOpInterface>(), name}].push_back(
          index);
    }
  }
  for (auto &[key, members] : groups) {
    GroupName name = describeGroup(key.first, key.second);
    hasErrors |=
        failed(GroupDecider(graph, assignment, name, members).run(toHost));
  }
  return failure(hasErrors);
}
