//===- FlowProof.cpp - A flow that bounds the sum of times ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The network is that of scripts/check-certificate, vertex by vertex and edge
// by edge. It is made of the problem alone: nothing is settled, and no part of
// it is reduced.
//
//===----------------------------------------------------------------------===//

#include "FlowProof.h"

#include "Analysis/Placement/Graph/MergedGroups.h"
#include "Analysis/Placement/Solve/Repetition.h"
#include "hetero/Support/Solvers/MaxFlow.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// The vertices that stand for the host and for all other devices.
enum : unsigned { kHostSide = 0, kOtherSide = 1, kFirstVertex = 2 };

/// On the host's side, the first says that something is there on the host, the
/// second that it is not on another device. What is in one place is one vertex.
struct Presence {
  unsigned host, other;
};

class NetworkBuilder {
public:
  NetworkBuilder(const Assignment &decided, const PlacementGraph &original)
      : assignment(decided), graph(decided.getGraph()), original(original),
        topology(graph.topology) {}

  FlowProof run();

private:
  using Costs = std::pair<int64_t, int64_t>;

  unsigned addVertex();
  void addArc(unsigned from, unsigned to, int64_t cost);
  bool mayBeBoth(NodeIndex node) const;
  void addNode(NodeIndex node);
  void addValue(ValueIndex value);
  Presence addPresence(BlockIndex block, const PlacementValue &value,
                       Costs costs);
  Costs getCosts(int64_t bytes) const;
  int64_t getOtherTime(NodeIndex node) const;

  const Assignment &assignment;
  const PlacementGraph &graph, &original;
  const Topology &topology;
  /// Of being on the other side, and on the host's.
  SmallVector<int64_t, 0> otherCosts{0, 0}, hostCosts{0, 0};
  SmallVector<FlowEdge, 0> edges;
  int64_t constant = 0;
  SmallVector<Presence, 0> nodes;
  /// By node: whether it is made at all.
  SmallVector<uint8_t, 0> isNeeded;
  /// Of the value at hand, by block.
  llvm::SmallDenseMap<BlockIndex, Presence> presences;
};
} // namespace

unsigned NetworkBuilder::addVertex() {
  otherCosts.push_back(0);
  hostCosts.push_back(0);
  return otherCosts.size() - 1;
}

static int64_t limit(int64_t cost) {
  return std::min(cost, FlowEdge::kInfinite);
}

/// Costs if the first is on the host's side and the second on the other.
void NetworkBuilder::addArc(unsigned from, unsigned to, int64_t cost) {
  cost = limit(cost);
  if (from == to || from == kOtherSide || to == kHostSide || cost == 0)
    return;
  auto add = [&](int64_t &sum) { sum = limit(sum + cost); };
  if (from == kHostSide && to == kOtherSide)
    add(constant);
  else if (from == kHostSide)
    add(otherCosts[to]);
  else if (to == kOtherSide)
    add(hostCosts[from]);
  else
    edges.push_back({from, to, cost, 0});
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// What may be made on several devices.
bool NetworkBuilder::mayBeBoth(NodeIndex node) const {
  const PlacementNode &n = graph.nodes[node];
  return assignment.isReplicated(node) || n.mayRepeat ||
         (n.open && isRepeatableByCost(original, node));
}

int64_t NetworkBuilder::getOtherTime(NodeIndex node) const {
  int64_t least = kNever;
  for (DeviceIndex device = 1; device < topology.size(); ++device)
    if (graph.isAllowed(node, device))
      least = std::min(least, graph.getTime(node, device));
  return least;
}

void NetworkBuilder::addNode(NodeIndex index) {
  const PlacementNode &node = graph.nodes[index];
  bool isBoth = mayBeBoth(index);
  if (!node.open && !isBoth) {
    DeviceIndex device = assignment.getDevice(index);
    unsigned side = device == Topology::kHost ? kHostSide : kOtherSide;
    nodes.push_back({side, side});
    if (node.isTimed && node.op)
      addArc(kHostSide, kOtherSide, graph.getTime(index, device));
    return;
  }
  unsigned vertex = addVertex();
  Presence presence{vertex, isBoth ? addVertex() : vertex};
  nodes.push_back(presence);
  if (!isNeeded[index])
    return;
  addArc(presence.host, kOtherSide,
         graph.isAllowed(index, Topology::kHost)
             ? graph.getTime(index, Topology::kHost)
             : kNever);
  addArc(kHostSide, presence.other, getOtherTime(index));
  addArc(presence.other, presence.host, kNever);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The least of a copy to the host, and of one from there.
NetworkBuilder::Costs NetworkBuilder::getCosts(int64_t bytes) const {
  Costs costs{kNever, kNever};
  for (DeviceIndex device = 1; device < topology.size(); ++device) {
    costs.first = std::min(
        costs.first, topology.getTransferTime(device, Topology::kHost, bytes));
    costs.second = std::min(
        costs.second, topology.getTransferTime(Topology::kHost, device, bytes));
  }
  return costs;
}

/// Whether the value is there, copied into a block on the way from the one that
/// defines it or not.
Presence NetworkBuilder::addPresence(BlockIndex block,
                                     const PlacementValue &value, Costs costs) {
  SmallVector<BlockIndex> way;
  for (; !presences.contains(block); block = graph.tree.getParent(block)) {
    way.push_back(block);
    if (block == value.block)
      break;
  }
  Presence above = presences.contains(block) ? presences[block]
                   : value.producer != kNone ? nodes[value.producer]
                   : value.device == Topology::kHost
                       ? Presence{kHostSide, kHostSide}
                       : Presence{kOtherSide, kOtherSide};
  for (BlockIndex next : llvm::reverse(way)) {
    unsigned host = addVertex(), other = addVertex();
    addArc(host, above.host, graph.tree.scale(costs.first, next));
    addArc(above.other, other, graph.tree.scale(costs.second, next));
    presences[next] = above = {host, other};
  }
  return above;
}

void NetworkBuilder::addValue(ValueIndex index) {
  const PlacementValue &value = graph.values[index];
  Costs costs = getCosts(value.bytes);
  presences.clear();
  for (unsigned read : graph.readsOfValue.get(index)) {
    Presence reader = nodes[graph.reads[read].node];
    Presence there = addPresence(graph.reads[read].block, value, costs);
    addArc(reader.host, there.host, kNever);
    addArc(there.other, reader.other, kNever);
  }
  for (unsigned use : graph.fixedUsesOfValue.get(index)) {
    Presence there = addPresence(graph.fixedUses[use].block, value, costs);
    if (graph.fixedUses[use].device == Topology::kHost)
      addArc(kHostSide, there.host, kNever);
    else
      addArc(there.other, kOtherSide, kNever);
  }
  for (unsigned use : graph.partialReadsOfValue.get(index)) {
    const PartialRead &read = graph.partialReads[use];
    Presence there = addPresence(read.block, value, costs);
    addArc(kHostSide, there.host,
           graph.tree.scale(getCosts(read.bytes).first, read.block));
  }
}

/// What a flow adds to a vertex it takes from another; what then is the least
/// at each of them is paid by every cut.
FlowProof NetworkBuilder::run() {
  isNeeded = findNeeded(graph, [&](NodeIndex node) { return mayBeBoth(node); });
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    addNode(node);
  for (ValueIndex value = 0; value < graph.values.size(); ++value)
    addValue(value);
  SmallVector<int64_t, 0> terminals;
  for (auto [other, host] : llvm::zip_equal(otherCosts, hostCosts))
    terminals.push_back(other - host);
  FlowProof proof{0, findMaximumFlow(terminals, edges)};
  for (auto [edge, flow] : llvm::zip_equal(edges, proof.flows)) {
    otherCosts[edge.to] += flow;
    otherCosts[edge.from] -= flow;
  }
  proof.bound = constant;
  for (auto [other, host] : llvm::zip_equal(otherCosts, hostCosts))
    proof.bound += std::min(other, host);
  return proof;
}

FlowProof mlir::hetero::findFlowProof(const Assignment &decided) {
  MergedGroups merged(decided.getGraph());
  Assignment assignment = merged.merge(decided);
  return NetworkBuilder(assignment, decided.getGraph()).run();
}
