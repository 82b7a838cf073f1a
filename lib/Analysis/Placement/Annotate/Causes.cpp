//===- Causes.cpp - Notes that say why a value is there -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Causes.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::hetero;

static void attachDecision(InFlightDiagnostic &error,
                           const Assignment &assignment, NodeIndex index,
                           StringRef what) {
  const PlacementGraph &graph = assignment.getGraph();
  const PlacementNode &node = graph.nodes[index];
  Diagnostic &note = error.attachNote(node.op->getLoc());
  note << "'" << node.op->getName() << "' op " << what;
  DeviceIndex device = assignment.getDevice(index);
  if (device == kNone)
    return void(note << " wherever it runs");
  note << " on " << graph.topology.getDevice(device).str();
  if (node.origin)
    note << ": " << node.origin.getValue();
}

/// The control flow or function that passes the value, else the operation in
/// whose region it is defined.
static Operation *getAround(const PlacementGraph &graph, ValueIndex value) {
  NodeIndex producer = graph.values[value].producer;
  for (const CarriedValues &carried : graph.carried)
    if (producer != kNone &&
        (llvm::is_contained(carried.results, producer) ||
         llvm::is_contained(carried.inits, producer) ||
         llvm::any_of(carried.blocks, [&](ArrayRef<NodeIndex> block) {
           return llvm::is_contained(block, producer);
         })))
      return carried.op;
  return graph.tree.getBlock(graph.values[value].block)->getParentOp();
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

/// What a link that is no operation's node belongs to.
static Operation *getOperation(const PlacementGraph &graph,
                               const CauseLink &link) {
  if (link.node == kNone && link.isUser)
    return graph.tree.getBlock(link.block)->getParentOp();
  ArrayRef<unsigned> results;
  if (link.node != kNone)
    results = graph.resultsOfNode.get(link.node);
  return getAround(graph, results.empty() ? link.value : results.front());
}

static void attachLink(InFlightDiagnostic &error, const Assignment &assignment,
                       const CauseLink &link, DeviceIndex device) {
  const PlacementGraph &graph = assignment.getGraph();
  StringRef value = link.isUser ? "what that makes," : "what that reads,";
  if (link.node != kNone && graph.nodes[link.node].op)
    return attachDecision(error, assignment, link.node,
                          ((link.isUser ? "needs " : "makes ") + value).str());
  Operation *around = getOperation(graph, link);
  StringRef verb = link.node != kNone ? "carries "
                   : link.isUser      ? "needs "
                                      : "has ";
  Diagnostic &note = error.attachNote(around->getLoc());
  note << "'" << around->getName() << "' op " << verb << value;
  bool isOpen = link.node != kNone && assignment.getDevice(link.node) == kNone;
  if (isOpen)
    note << " wherever that is";
  else
    note << " on " << graph.topology.getDevice(device).str();
}

void mlir::hetero::attachChain(InFlightDiagnostic &error,
                               const Assignment &assignment,
                               ArrayRef<CauseLink> links, DeviceIndex device) {
  // Both ends of what is too long to read.
  constexpr size_t kMaxAtEnds = 8;
  size_t numLeftOut =
      links.size() > 2 * kMaxAtEnds + 1 ? links.size() - 2 * kMaxAtEnds : 0;
  for (size_t i = 0; i < links.size(); ++i) {
    attachLink(error, assignment, links[i], device);
    if (i + 1 != kMaxAtEnds || numLeftOut == 0)
      continue;
    error.attachNote() << numLeftOut << " more in between";
    i += numLeftOut;
  }
}

//===----------------------------------------------------------------------===//
// Chains of what cost decided
//===----------------------------------------------------------------------===//

namespace {
/// The way from an operation that cost put on a device to the nearest neighbour
/// there that has no choice.
class CauseChain {
public:
  /// With `other`, only along values that could not be copied if the operation
  /// stood on that device.
  CauseChain(const Assignment &assignment, NodeIndex start, DeviceIndex other);

  bool isEmpty() const { return links.empty(); }
  void attachTo(InFlightDiagnostic &error) const;

private:
  struct Link : CauseLink {
    /// The number of the link before among those that were seen.
    unsigned before;
  };

  void search(NodeIndex start);
  void addNeighbours(NodeIndex node, unsigned number);
  void addDefinition(ValueIndex value, unsigned number);
  void addUses(ValueIndex value, unsigned number);
  void add(Link link);
  bool isEnd(const Link &link) const;

  const Assignment &assignment;
  const PlacementGraph &graph;
  DeviceIndex device;
  bool followsReads, followsResults;
  SmallVector<Link, 0> seen;
  llvm::DenseSet<NodeIndex> nodes;
  /// In the end: the chain, without the start.
  SmallVector<CauseLink, 0> links;
};
} // namespace

CauseChain::CauseChain(const Assignment &assignment, NodeIndex start,
                       DeviceIndex other)
    : assignment(assignment), graph(assignment.getGraph()),
      device(assignment.getDevice(start)),
      followsReads(other == kNone ||
                   !graph.topology.isReachable(device, other)),
      followsResults(other == kNone ||
                     !graph.topology.isReachable(other, device)) {
  search(start);
}

void CauseChain::add(Link link) {
  if (link.node == kNone || nodes.insert(link.node).second)
    seen.push_back(link);
}

void CauseChain::addDefinition(ValueIndex value, unsigned number) {
  if (!assignment.isValueReplicated(value) &&
      assignment.getValueDevice(value) == device)
    add({{graph.values[value].producer, value, graph.values[value].block,
          /*isUser=*/false},
         number});
}

void CauseChain::addUses(ValueIndex value, unsigned number) {
  for (unsigned index : graph.readsOfValue.get(value)) {
    const PlacementRead &read = graph.reads[index];
    if (!assignment.isReplicated(read.node) &&
        assignment.getDevice(read.node) == device)
      add({{read.node, value, read.block, /*isUser=*/true}, number});
  }
  for (unsigned index : graph.fixedUsesOfValue.get(value))
    if (const FixedUse &use = graph.fixedUses[index]; use.device == device)
      add({{kNone, value, use.block, /*isUser=*/true}, number});
}

void CauseChain::addNeighbours(NodeIndex node, unsigned number) {
  if (followsReads)
    for (unsigned read : graph.readsOfNode.get(node))
      addDefinition(graph.reads[read].value, number);
  if (followsResults)
    for (ValueIndex value : graph.resultsOfNode.get(node))
      addUses(value, number);
}

bool CauseChain::isEnd(const Link &link) const {
  if (link.node == kNone)
    return true;
  const PlacementNode &node = graph.nodes[link.node];
  return node.op ? node.reason != PlacementReason::Cost : !node.open;
}

/// Nearer ones first.
void CauseChain::search(NodeIndex start) {
  seen.push_back({{start, kNone, kNone, false}, kNone});
  nodes.insert(start);
  for (unsigned number = 0; number < seen.size(); ++number) {
    if (number != 0 && isEnd(seen[number])) {
      for (; number != 0; number = seen[number].before)
        links.push_back(seen[number]);
      std::reverse(links.begin(), links.end());
      return;
    }
    addNeighbours(seen[number].node, number);
  }
}

/// Of what is no operation's: the control flow, call or function around.
void CauseChain::attachTo(InFlightDiagnostic &error) const {
  attachChain(error, assignment, links, device);
}

void mlir::hetero::attachCause(InFlightDiagnostic &error,
                               const Assignment &assignment, NodeIndex node,
                               StringRef what, DeviceIndex other) {
  const PlacementGraph &graph = assignment.getGraph();
  if (!graph.nodes[node].op)
    return;
  attachDecision(error, assignment, node, what);
  if (graph.nodes[node].reason != PlacementReason::Cost)
    return;
  CauseChain chain(assignment, node, other);
  // Where every copy is possible, what is near explains the cost.
  if (chain.isEmpty() && other != kNone)
    return CauseChain(assignment, node, kNone).attachTo(error);
  chain.attachTo(error);
}

//===----------------------------------------------------------------------===//
// What is carried
//===----------------------------------------------------------------------===//

/// A value that becomes what this node carries, preferably one on the same
/// device; kNone if there is none but itself.
static ValueIndex getCarriedValue(const Assignment &assignment,
                                  NodeIndex carrier) {
  const PlacementGraph &graph = assignment.getGraph();
  ValueIndex found = kNone;
  for (unsigned index : graph.readsOfNode.get(carrier)) {
    ValueIndex value = graph.reads[index].value;
    if (graph.values[value].producer == carrier)
      continue;
    if (assignment.getValueDevice(value) == assignment.getDevice(carrier))
      return value;
    if (found == kNone)
      found = value;
  }
  return found;
}

void mlir::hetero::attachCauses(InFlightDiagnostic &error,
                                const Assignment &assignment, ValueIndex value,
                                DeviceIndex other) {
  const PlacementGraph &graph = assignment.getGraph();
  // Longer chains do not help, and loops may carry each other's values.
  constexpr unsigned kMaxNotes = 8;
  for (unsigned i = 0; i < kMaxNotes && value != kNone; ++i) {
    NodeIndex producer = graph.values[value].producer;
    std::string device =
        graph.topology.getDevice(assignment.getValueDevice(value)).str();
    if (producer != kNone && graph.nodes[producer].op)
      return attachCause(error, assignment, producer, "makes it", other);
    Operation *around = getAround(graph, value);
    if (producer == kNone) {
      error.attachNote(around->getLoc())
          << "'" << around->getName() << "' op has it on " << device;
      return;
    }
    error.attachNote(around->getLoc())
        << "'" << around->getName() << "' op carries it, on " << device;
    value = getCarriedValue(assignment, producer);
  }
}
