//===- Ambiguity.cpp - What annotations pull both ways --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = math.exp %x {gpu:0}
//   %1 = math.absf %0            // free, next to gpu:0
//   %2 = math.sin %1             // free, next to cpu:0
//   %3 = math.cos %2 {cpu:0}
//
// A search in the breadth from what is annotated with each device goes through
// what is free. What two searches reach is pulled both ways; of all that is
// joined the one is reported that is nearest to two annotations, of those whose
// conflict mode asks for it.
//
//===----------------------------------------------------------------------===//

#include "Ambiguity.h"

#include "Causes.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
class PullSearch {
public:
  PullSearch(const Assignment &fixed, ConflictMode mode);

  /// Fails if one is an error.
  LogicalResult report();

private:
  /// The way from a free node to the next annotation of a device.
  struct Pull {
    unsigned distance = kNone;
    /// The first step.
    CauseLink next = {kNone, kNone, 0, false};
  };

  /// Errors come before warnings, and the nearest to two annotations first.
  using Rank = std::pair<bool, unsigned>;

  bool isFree(NodeIndex node) const;
  bool isAnnotated(NodeIndex node) const;
  Pull &getPull(NodeIndex node, DeviceIndex device) {
    return pulls[size_t(node) * numDevices + device];
  }
  void spread(DeviceIndex device);
  void spreadFrom(NodeIndex node, DeviceIndex device);
  void reach(NodeIndex node, DeviceIndex device, unsigned distance,
             CauseLink next);
  void joinGroups();
  NodeIndex getGroup(NodeIndex node);
  unsigned getDistance(NodeIndex node);
  bool isError(NodeIndex node) const;
  std::optional<Rank> getRank(NodeIndex node);
  void report(NodeIndex node);

  const Assignment &fixed;
  ConflictMode mode;
  const PlacementGraph &graph;
  unsigned numDevices;
  SmallVector<Pull, 0> pulls;
  SmallVector<NodeIndex, 0> worklist;
  /// By node, on the way to the first node of its group.
  SmallVector<NodeIndex, 0> groups;
};
} // namespace

PullSearch::PullSearch(const Assignment &fixed, ConflictMode mode)
    : fixed(fixed), mode(mode), graph(fixed.getGraph()),
      numDevices(graph.topology.size()),
      pulls(graph.nodes.size() * graph.topology.size()) {}

bool PullSearch::isFree(NodeIndex index) const {
  const PlacementNode &node = graph.nodes[index];
  return fixed.getDevice(index) == kNone && !fixed.isReplicated(index) &&
         node.open && !node.spec &&
         (!node.op || node.reason == PlacementReason::Cost);
}

bool PullSearch::isAnnotated(NodeIndex index) const {
  const PlacementNode &node = graph.nodes[index];
  return node.op && !fixed.isReplicated(index) &&
         fixed.getDevice(index) != kNone &&
         (node.reason == PlacementReason::Pinned ||
          node.reason == PlacementReason::Rule);
}

void PullSearch::reach(NodeIndex node, DeviceIndex device, unsigned distance,
                       CauseLink next) {
  Pull &pull = getPull(node, device);
  if (!isFree(node) || pull.distance != kNone)
    return;
  pull = {distance, next};
  worklist.push_back(node);
}

/// What makes the operands and reads the results of a node.
void PullSearch::spreadFrom(NodeIndex node, DeviceIndex device) {
  unsigned distance = isFree(node) ? getPull(node, device).distance + 1 : 1;
  for (unsigned index : graph.readsOfNode.get(node)) {
    const PlacementRead &read = graph.reads[index];
    NodeIndex producer = graph.values[read.value].producer;
    if (producer != kNone)
      reach(producer, device, distance,
            {node, read.value, read.block, /*isUser=*/true});
  }
  for (ValueIndex value : graph.resultsOfNode.get(node))
    for (unsigned index : graph.readsOfValue.get(value))
      reach(graph.reads[index].node, device, distance,
            {node, value, graph.values[value].block, /*isUser=*/false});
}

/// From everything that is annotated with the device. Values of signatures are
/// on the host where nobody says so, which pulls nothing.
void PullSearch::spread(DeviceIndex device) {
  if (device != Topology::kHost) {
    for (ValueIndex value = 0; value < graph.values.size(); ++value)
      if (const PlacementValue &v = graph.values[value];
          v.producer == kNone && v.device == device)
        for (unsigned index : graph.readsOfValue.get(value))
          reach(graph.reads[index].node, device, 1,
                {kNone, value, v.block, /*isUser=*/false});
    for (const FixedUse &use : graph.fixedUses)
      if (NodeIndex producer = graph.values[use.value].producer;
          use.device == device && producer != kNone)
        reach(producer, device, 1,
              {kNone, use.value, use.block, /*isUser=*/true});
  }
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (isAnnotated(node) && fixed.getDevice(node) == device)
      spreadFrom(node, device);
  for (size_t next = 0; next < worklist.size(); ++next)
    spreadFrom(worklist[next], device);
  worklist.clear();
}

NodeIndex PullSearch::getGroup(NodeIndex node) {
  while (groups[node] != node)
    node = groups[node] = groups[groups[node]];
  return node;
}

void PullSearch::joinGroups() {
  llvm::append_range(groups, llvm::seq<NodeIndex>(0, graph.nodes.size()));
  for (const PlacementRead &read : graph.reads) {
    NodeIndex producer = graph.values[read.value].producer;
    if (producer == kNone || !isFree(producer) || !isFree(read.node))
      continue;
    NodeIndex a = getGroup(producer), b = getGroup(read.node);
    groups[std::max(a, b)] = std::min(a, b);
  }
}

/// To the two nearest devices, or kNone if there are fewer.
unsigned PullSearch::getDistance(NodeIndex node) {
  unsigned nearest = kNone, second = kNone;
  for (DeviceIndex device = 0; device < numDevices; ++device) {
    unsigned distance = getPull(node, device).distance;
    second = std::min(second, std::max(nearest, distance));
    nearest = std::min(nearest, distance);
  }
  return second == kNone ? kNone : nearest + second;
}

bool PullSearch::isError(NodeIndex node) const {
  return getConflictMode(graph.nodes[node].op, mode) == ConflictMode::Error;
}

/// None for a node that nobody asks to report.
std::optional<PullSearch::Rank> PullSearch::getRank(NodeIndex node) {
  Operation *op = graph.nodes[node].op;
  if (!op || !isFree(node) || getDistance(node) == kNone)
    return std::nullopt;
  ConflictMode own = getConflictMode(op, mode);
  if (own != ConflictMode::Warn && own != ConflictMode::Error)
    return std::nullopt;
  return Rank{own == ConflictMode::Warn, getDistance(node)};
}

void PullSearch::report(NodeIndex node) {
  Operation *op = graph.nodes[node].op;
  InFlightDiagnostic diagnostic =
      isError(node) ? emitError(op->getLoc()) : emitWarning(op->getLoc());
  std::string devices;
  for (DeviceIndex device = 0; device < numDevices; ++device)
    if (getPull(node, device).distance != kNone)
      devices += (devices.empty() ? "" : ", ") +
                 graph.topology.getDevice(device).str();
  diagnostic << "'" << op->getName() << "' op is annotated with no device, and "
             << "annotations around it pull it to " << devices
             << "; annotate it, or use conflict=copy to have cost decide";
  for (DeviceIndex device = 0; device < numDevices; ++device) {
    if (getPull(node, device).distance == kNone)
      continue;
    SmallVector<CauseLink> links;
    for (NodeIndex at = node; at != kNone && isFree(at);) {
      links.push_back(getPull(at, device).next);
      at = links.back().node;
    }
    diagnostic.attachNote(op->getLoc())
        << "to " << graph.topology.getDevice(device).str() << ":";
    attachChain(diagnostic, fixed, links, device);
  }
}

LogicalResult PullSearch::report() {
  for (DeviceIndex device = 0; device < numDevices; ++device)
    spread(device);
  joinGroups();
  // The first of each group.
  llvm::MapVector<NodeIndex, std::pair<Rank, NodeIndex>> firsts;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    std::optional<Rank> rank = getRank(node);
    if (!rank)
      continue;
    auto [it, isNew] = firsts.try_emplace(getGroup(node), *rank, node);
    if (!isNew && *rank < it->second.first)
      it->second = {*rank, node};
  }
  bool hasErrors = false;
  for (auto &[group, first] : firsts) {
    report(first.second);
    hasErrors |= isError(first.second);
  }
  return failure(hasErrors);
}

LogicalResult mlir::hetero::reportAmbiguity(const Assignment &fixed,
                                            ConflictMode mode) {
  return PullSearch(fixed, mode).report();
}
