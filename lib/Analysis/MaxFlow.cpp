//===- MaxFlow.cpp - Minimum cut of a flow network ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algorithm of Boykov and Kolmogorov (2004, IEEE PAMI 26(9)): a tree grows
// from either terminal along edges that have room; where they meet, flow is
// pushed along the path, and vertices whose edge to their parent is full look
// for another parent. When neither tree can grow the flow is maximal, and the
// sink's tree is the set of vertices that reach the sink.
//
// The flow so far is a bound of every cut. So the search can stop at any time
// and tell how far the cut at hand is from the minimum.
//
//===----------------------------------------------------------------------===//

#include "MaxFlow.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::hetero;

namespace {
class FlowNetwork {
public:
  FlowNetwork(ArrayRef<int64_t> terminals, ArrayRef<FlowEdge> edges);
  MinimumCut run(uint64_t maxWork);

private:
  using Vertex = uint32_t;
  using Edge = uint32_t;
  /// What a vertex has instead of an edge to its parent.
  static constexpr Edge kNoParent = ~0u, kTerminal = ~1u, kOrphan = ~2u;
  enum Tree : uint8_t { Free, Source, Sink };

  void addEdge(const FlowEdge &edge, MutableArrayRef<Edge> next);
  void plantTrees();
  void activate(Vertex vertex);
  /// Grows the tree of a vertex. Returns the edge from the source's tree to the
  /// sink's that it found, or kNoParent.
  Edge grow(Vertex vertex);
  void augment(Edge bridge);
  void pushTo(Edge edge, int64_t amount);
  int64_t findRoom(Vertex vertex, int64_t room);
  void pushUp(Vertex vertex, int64_t amount);
  void orphan(Vertex vertex);
  void adopt(Vertex vertex);
  uint32_t findDistance(Vertex vertex);
  /// Room from the vertex towards the sink's tree, or from the source's.
  int64_t getRoom(Edge edge, Tree tree) const {
    return tree == Source ? residuals[edge] : residuals[mates[edge]];
  }
  void closeOverInfinite(MutableArrayRef<uint8_t> isSink, bool towardsSink);
  int64_t getCost(ArrayRef<uint8_t> isSink) const;
  MinimumCut chooseCut();

  ArrayRef<int64_t> terminals;
  ArrayRef<FlowEdge> edges;
  /// Edges of vertex v: begin[v] to begin[v + 1].
  SmallVector<Edge, 0> begin;
  SmallVector<Vertex, 0> heads;
  SmallVector<Edge, 0> mates;
  SmallVector<int64_t, 0> residuals;
  /// Room from the source if positive, to the sink if negative.
  SmallVector<int64_t, 0> excess;
  SmallVector<uint8_t, 0> tree;
  /// The edge to the parent.
  SmallVector<Edge, 0> parents;
  /// Distance to the terminal, as of the time given.
  SmallVector<uint32_t, 0> distances, times;
  SmallVector<uint8_t, 0> isActive;
  SmallVector<Vertex, 0> active, orphans;
  size_t firstActive = 0;
  uint32_t now = 0;
  int64_t flow = 0;
  uint64_t work = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Network
//===----------------------------------------------------------------------===//

FlowNetwork::FlowNetwork(ArrayRef<int64_t> terminals, ArrayRef<FlowEdge> edges)
    : terminals(terminals), edges(edges), excess(terminals) {
  unsigned n = terminals.size();
  begin.assign(n + 1, 0);
  for (const FlowEdge &edge : edges) {
    ++begin[edge.from + 1];
    ++begin[edge.to + 1];
  }
  for (unsigned i = 0; i < n; ++i)
    begin[i + 1] += begin[i];
  heads.resize_for_overwrite(begin[n]);
  mates.resize_for_overwrite(begin[n]);
  residuals.resize_for_overwrite(begin[n]);
  SmallVector<Edge, 0> next(begin);
  for (const FlowEdge &edge : edges)
    addEdge(edge, next);
  tree.assign(n, Free);
  parents.assign(n, kNoParent);
  distances.assign(n, 0);
  times.assign(n, 0);
  isActive.assign(n, false);
}

void FlowNetwork::addEdge(const FlowEdge &edge, MutableArrayRef<Edge> next) {
  Edge forth = next[edge.from]++, back = next[edge.to]++;
  heads[forth] = edge.to;
  heads[back] = edge.from;
  mates[forth] = back;
  mates[back] = forth;
  residuals[forth] = edge.capacity;
  residuals[back] = edge.reverse;
}

void FlowNetwork::activate(Vertex vertex) {
  if (isActive[vertex])
    return;
  isActive[vertex] = true;
  active.push_back(vertex);
}

void FlowNetwork::plantTrees() {
  for (Vertex vertex = 0; vertex < excess.size(); ++vertex) {
    if (excess[vertex] == 0)
      continue;
    tree[vertex] = excess[vertex] > 0 ? Source : Sink;
    parents[vertex] = kTerminal;
    distances[vertex] = 1;
    activate(vertex);
  }
}

//===----------------------------------------------------------------------===//
// Growth
//===----------------------------------------------------------------------===//

FlowNetwork::Edge FlowNetwork::grow(Vertex vertex) {
  Tree mine = Tree(tree[vertex]);
  for (Edge edge = begin[vertex]; edge < begin[vertex + 1]; ++edge) {
    ++work;
    if (getRoom(edge, mine) == 0)
      continue;
    Vertex other = heads[edge];
    if (tree[other] == Free) {
      tree[other] = mine;
      activate(other);
    } else if (tree[other] != mine) {
      return mine == Source ? edge : mates[edge];
    } else if (times[other] > times[vertex] ||
               distances[other] <= distances[vertex] + 1) {
      continue;
    }
    // New in the tree, or nearer to the terminal this way.
    parents[other] = mates[edge];
    distances[other] = distances[vertex] + 1;
    times[other] = times[vertex];
  }
  return kNoParent;
}

//===----------------------------------------------------------------------===//
// Augmentation
//===----------------------------------------------------------------------===//

/// The least room on the way from the vertex's terminal.
int64_t FlowNetwork::findRoom(Vertex vertex, int64_t room) {
  Tree mine = Tree(tree[vertex]);
  for (; parents[vertex] != kTerminal; vertex = heads[parents[vertex]]) {
    // The edge at hand leads to the parent, the flow comes from there.
    room = std::min(room, getRoom(mates[parents[vertex]], mine));
    ++work;
  }
  return std::min(room, std::abs(excess[vertex]));
}

void FlowNetwork::pushTo(Edge edge, int64_t amount) {
  residuals[edge] -= amount;
  residuals[mates[edge]] += amount;
}

/// Pushes along the tree; who has no room left to the parent is an orphan.
void FlowNetwork::pushUp(Vertex vertex, int64_t amount) {
  Tree mine = Tree(tree[vertex]);
  while (parents[vertex] != kTerminal) {
    Edge up = parents[vertex];
    Vertex parent = heads[up];
    pushTo(mine == Source ? mates[up] : up, amount);
    if (getRoom(mates[up], mine) == 0)
      orphan(vertex);
    vertex = parent;
  }
  excess[vertex] -= mine == Source ? amount : -amount;
  if (excess[vertex] == 0)
    orphan(vertex);
}

void FlowNetwork::orphan(Vertex vertex) {
  parents[vertex] = kOrphan;
  orphans.push_back(vertex);
}

void FlowNetwork::augment(Edge bridge) {
  Vertex to = heads[bridge], from = heads[mates[bridge]];
  int64_t amount = findRoom(to, findRoom(from, residuals[bridge]));
  pushTo(bridge, amount);
  pushUp(from, amount);
  pushUp(to, amount);
  flow += amount;
}

//===----------------------------------------------------------------------===//
// Adoption
//===----------------------------------------------------------------------===//

/// The distance of a vertex to its terminal, or 0 if it hangs on an orphan.
/// Marks the way, so that the next one to ask finds it soon.
uint32_t FlowNetwork::findDistance(Vertex vertex) {
  uint32_t steps = 0;
  Vertex top = vertex;
  for (; times[top] != now; top = heads[parents[top]]) {
    ++work;
    if (parents[top] == kOrphan || parents[top] == kNoParent)
      return 0;
    if (parents[top] == kTerminal) {
      times[top] = now;
      distances[top] = 1;
      break;
    }
    ++steps;
  }
  uint32_t distance = distances[top] + steps;
  for (uint32_t d = distance; vertex != top; vertex = heads[parents[vertex]]) {
    times[vertex] = now;
    distances[vertex] = d--;
  }
  return distance;
}

/// Hangs an orphan on the neighbour that is nearest to the terminal, or makes
/// it free, and its children orphans.
void FlowNetwork::adopt(Vertex vertex) {
  Tree mine = Tree(tree[vertex]);
  Edge best = kNoParent;
  uint32_t shortest = ~0u;
  for (Edge edge = begin[vertex]; edge < begin[vertex + 1]; ++edge) {
    ++work;
    if (tree[heads[edge]] != mine || getRoom(mates[edge], mine) == 0)
      continue;
    uint32_t distance = findDistance(heads[edge]);
    if (distance == 0 || distance >= shortest)
      continue;
    shortest = distance;
    best = edge;
  }
  parents[vertex] = best;
  if (best != kNoParent) {
    times[vertex] = now;
    distances[vertex] = shortest + 1;
    return;
  }
  for (Edge edge = begin[vertex]; edge < begin[vertex + 1]; ++edge) {
    Vertex other = heads[edge];
    ++work;
    if (tree[other] != mine)
      continue;
    if (getRoom(mates[edge], mine) != 0)
      activate(other);
    if (parents[other] == mates[edge])
      orphan(other);
  }
  tree[vertex] = Free;
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

/// Moves what edges of infinite capacity do not allow to stay: their tails to
/// the sink's side, or their heads to the source's.
void FlowNetwork::closeOverInfinite(MutableArrayRef<uint8_t> isSink,
                                    bool towardsSink) {
  SmallVector<std::pair<Vertex, Vertex>, 0> bound;
  for (const FlowEdge &edge : edges) {
    if (edge.capacity >= FlowEdge::kInfinite)
      bound.push_back({edge.from, edge.to});
    if (edge.reverse >= FlowEdge::kInfinite)
      bound.push_back({edge.to, edge.from});
  }
  if (towardsSink)
    for (auto &pair : bound)
      std::swap(pair.first, pair.second);
  llvm::sort(bound);
  SmallVector<Vertex, 0> worklist;
  for (Vertex vertex = 0; vertex < isSink.size(); ++vertex)
    if (isSink[vertex] == towardsSink)
      worklist.push_back(vertex);
  while (!worklist.empty()) {
    Vertex vertex = worklist.pop_back_val();
    auto *it = llvm::lower_bound(bound, std::pair(vertex, Vertex(0)));
    for (; it != bound.end() && it->first == vertex; ++it) {
      if (isSink[it->second] == towardsSink)
        continue;
      isSink[it->second] = towardsSink;
      worklist.push_back(it->second);
    }
  }
}

int64_t FlowNetwork::getCost(ArrayRef<uint8_t> isSink) const {
  int64_t cost = 0;
  for (auto [terminal, sink] : llvm::zip_equal(terminals, isSink))
    cost +=
        sink ? std::max<int64_t>(terminal, 0) : std::max<int64_t>(-terminal, 0);
  for (const FlowEdge &edge : edges)
    if (isSink[edge.from] != isSink[edge.to])
      cost += isSink[edge.to] ? edge.capacity : edge.reverse;
  return cost;
}

/// The cheapest cut that the unfinished trees suggest.
MinimumCut FlowNetwork::chooseCut() {
  SmallVector<SmallVector<uint8_t, 0>, 6> cuts;
  cuts.emplace_back(terminals.size(), false);
  for (bool towardsSink : {false, true})
    for (bool isFreeSink : {false, true}) {
      SmallVector<uint8_t, 0> &isSink = cuts.emplace_back();
      for (uint8_t side : tree)
        isSink.push_back(side == Sink || (isFreeSink && side == Free));
      closeOverInfinite(isSink, towardsSink);
    }
  cuts.emplace_back(terminals.size(), true);
  auto *best = std::min_element(
      cuts.begin(), cuts.end(),
      [&](const auto &a, const auto &b) { return getCost(a) < getCost(b); });
  int64_t gap = getCost(*best) - flow;
  return {std::move(*best), gap};
}

MinimumCut FlowNetwork::run(uint64_t maxWork) {
  plantTrees();
  while (firstActive < active.size()) {
    Vertex vertex = active[firstActive];
    Edge bridge = tree[vertex] == Free ? kNoParent : grow(vertex);
    if (bridge == kNoParent) {
      isActive[vertex] = false;
      ++firstActive;
      continue;
    }
    ++now;
    augment(bridge);
    for (size_t i = 0; i < orphans.size(); ++i)
      adopt(orphans[i]);
    orphans.clear();
    if (maxWork != 0 && work >= maxWork)
      return chooseCut();
  }
  MinimumCut cut;
  for (uint8_t side : tree)
    cut.isSink.push_back(side == Sink);
  return cut;
}

MinimumCut mlir::hetero::findMinimumCut(ArrayRef<int64_t> terminals,
                                        ArrayRef<FlowEdge> edges,
                                        uint64_t maxWork) {
  return FlowNetwork(terminals, edges).run(maxWork);
}
