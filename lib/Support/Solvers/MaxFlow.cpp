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
// Before that, what neighbours can settle among themselves is settled: pushing
// along single edges, as in push-relabel algorithms (Goldberg and Tarjan 1988,
// JACM 35(4)), which only moves capacity from one terminal edge to another.
//
// The flow so far is a bound of every cut. So the search can stop at any time
// and tell how far the cut at hand is from the minimum.
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/MaxFlow.h"
#include "hetero/Support/Assert.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;

namespace {
class FlowNetwork {
public:
  FlowNetwork(ArrayRef<int64_t> terminals, ArrayRef<FlowEdge> edges);
  MinimumCut run(uint64_t maxWork);
  /// What flows along each of the edges now.
  SmallVector<int64_t, 0> getFlows() const;

private:
  using Vertex = uint32_t;
  using Edge = uint32_t;
  /// What a vertex has instead of an edge to its parent.
  static constexpr Edge kNoParent = ~0u, kTerminal = ~1u, kOrphan = ~2u;
  enum Tree : uint8_t { Free, Source, Sink };

  /// What is asked of a vertex, and of an edge, lies together: each look at a
  /// neighbour is a cache line that was not expected.
  struct VertexState {
    /// Room from the source if positive, to the sink if negative.
    int64_t excess = 0;
    /// The first of its edges, which are those up to the next vertex's.
    Edge begin = 0;
    /// The edge to the parent, and the parent itself if that is an edge: ways
    /// to the terminal are followed all the time.
    Edge parent = kNoParent;
    Vertex above = 0;
    /// Distance to the terminal, as of the time given.
    uint32_t distance = 0, time = 0;
    Tree tree = Free;
    bool isActive = false;
  };
  struct EdgeState {
    Vertex head;
    Edge mate;
    /// Room along the edge, and along its mate.
    int64_t room, back;
  };

  void addEdge(const FlowEdge &edge);
  void settle(Vertex vertex, bool isForwards);
  void settle();
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
  /// Room from the vertex towards the sink's tree, or from the source's; and
  /// the other way.
  int64_t getRoom(Edge edge, Tree tree) const {
    return tree == Source ? arcs[edge].room : arcs[edge].back;
  }
  int64_t getRoomBack(Edge edge, Tree tree) const {
    return tree == Source ? arcs[edge].back : arcs[edge].room;
  }
  void closeOverInfinite(MutableArrayRef<uint8_t> isSink, bool towardsSink);
  int64_t getCost(ArrayRef<uint8_t> isSink) const;
  MinimumCut chooseCut();

  ArrayRef<int64_t> terminals;
  ArrayRef<FlowEdge> edges;
  /// One more than there are.
  SmallVector<VertexState, 0> vertices;
  SmallVector<EdgeState, 0> arcs;
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
    : terminals(terminals), edges(edges) {
  // First, for the sake of callers that have just freed as much.
  arcs.resize_for_overwrite(2 * edges.size());
  vertices.resize(terminals.size() + 1);
  for (const FlowEdge &edge : edges) {
    ++vertices[edge.from].begin;
    ++vertices[edge.to].begin;
  }
  // From here on the end of a vertex's edges: each that is added lowers it.
  Edge end = 0;
  for (VertexState &vertex : vertices)
    vertex.begin = end += vertex.begin;
  for (const FlowEdge &edge : llvm::reverse(edges))
    addEdge(edge);
  for (auto [vertex, terminal] : llvm::zip(vertices, terminals))
    vertex.excess = terminal;
}

void FlowNetwork::addEdge(const FlowEdge &edge) {
  // As if the edges were added in their order, and this end of each first.
  Edge back = --vertices[edge.to].begin, forth = --vertices[edge.from].begin;
  arcs[forth] = {edge.to, back, edge.capacity, edge.reverse};
  arcs[back] = {edge.from, forth, edge.reverse, edge.capacity};
}

/// Moves the vertex's excess to neighbours of the other sign, which takes flow
/// to the sink, then to those after it or before it.
void FlowNetwork::settle(Vertex vertex, bool isForwards) {
  VertexState &mine = vertices[vertex];
  auto move = [&](bool cancels) {
    Edge end = vertices[vertex + 1].begin;
    for (Edge edge = mine.begin; edge < end && mine.excess != 0; ++edge) {
      Vertex head = arcs[edge].head;
      int64_t &other = vertices[head].excess;
      bool isOpposite = (mine.excess > 0) != (other > 0) && other != 0;
      if (cancels ? !isOpposite : (head > vertex) != isForwards)
        continue;
      int64_t amount = std::min(std::abs(mine.excess),
                                getRoom(edge, mine.excess > 0 ? Source : Sink));
      if (cancels)
        amount = std::min(amount, std::abs(other));
      if (isOpposite)
        flow += std::min(amount, std::abs(other));
      if (mine.excess < 0)
        amount = -amount;
      pushTo(edge, amount);
      mine.excess -= amount;
      other += amount;
    }
  };
  move(/*cancels=*/true);
  move(/*cancels=*/false);
}

/// Room from the source may be moved along an edge that has room itself: every
/// cut costs the same afterwards. Two sweeps, one each way, cancel most of what
/// is near each other, in the order of memory, before any tree is grown.
void FlowNetwork::settle() {
  Vertex count = terminals.size();
  for (Vertex vertex = 0; vertex < count; ++vertex)
    settle(vertex, /*isForwards=*/true);
  for (Vertex vertex = count; vertex-- > 0;)
    settle(vertex, /*isForwards=*/false);
}

void FlowNetwork::activate(Vertex vertex) {
  if (vertices[vertex].isActive)
    return;
  vertices[vertex].isActive = true;
  active.push_back(vertex);
}

void FlowNetwork::plantTrees() {
  for (Vertex vertex = 0; vertex < terminals.size(); ++vertex) {
    VertexState &state = vertices[vertex];
    if (state.excess == 0)
      continue;
    state.tree = state.excess > 0 ? Source : Sink;
    state.parent = kTerminal;
    state.distance = 1;
    activate(vertex);
  }
}

//===----------------------------------------------------------------------===//
// Growth
//===----------------------------------------------------------------------===//

FlowNetwork::Edge FlowNetwork::grow(Vertex vertex) {
  const VertexState &mine = vertices[vertex];
  for (Edge edge = mine.begin; edge < vertices[vertex + 1].begin; ++edge) {
    ++work;
    if (getRoom(edge, mine.tree) == 0)
      continue;
    VertexState &other = vertices[arcs[edge].head];
    if (other.tree == Free) {
      other.tree = mine.tree;
      activate(arcs[edge].head);
    } else if (other.tree != mine.tree) {
      return mine.tree == Source ? edge : arcs[edge].mate;
    } else if (other.time > mine.time || other.distance <= mine.distance + 1) {
      continue;
    }
    // New in the tree, or nearer to the terminal this way.
    other.parent = arcs[edge].mate;
    other.above = vertex;
    other.distance = mine.distance + 1;
    other.time = mine.time;
  }
  return kNoParent;
}

//===----------------------------------------------------------------------===//
// Augmentation
//===----------------------------------------------------------------------===//

/// The least room on the way from the vertex's terminal.
int64_t FlowNetwork::findRoom(Vertex vertex, int64_t room) {
  Tree tree = vertices[vertex].tree;
  while (vertices[vertex].parent != kTerminal) {
    // The edge at hand leads to the parent, the flow comes from there.
    Edge up = vertices[vertex].parent;
    room = std::min(room, getRoomBack(up, tree));
    vertex = vertices[vertex].above;
    ++work;
  }
  return std::min(room, std::abs(vertices[vertex].excess));
}

void FlowNetwork::pushTo(Edge edge, int64_t amount) {
  EdgeState &forth = arcs[edge], &back = arcs[forth.mate];
  back.back = forth.room -= amount;
  back.room = forth.back += amount;
}

/// Pushes along the tree; who has no room left to the parent is an orphan.
void FlowNetwork::pushUp(Vertex vertex, int64_t amount) {
  Tree tree = vertices[vertex].tree;
  while (vertices[vertex].parent != kTerminal) {
    Edge up = vertices[vertex].parent;
    pushTo(up, tree == Source ? -amount : amount);
    Vertex above = vertices[vertex].above;
    if (getRoomBack(up, tree) == 0)
      orphan(vertex);
    vertex = above;
  }
  vertices[vertex].excess -= tree == Source ? amount : -amount;
  if (vertices[vertex].excess == 0)
    orphan(vertex);
}

void FlowNetwork::orphan(Vertex vertex) {
  vertices[vertex].parent = kOrphan;
  orphans.push_back(vertex);
}

void FlowNetwork::augment(Edge bridge) {
  Vertex to = arcs[bridge].head, from = arcs[arcs[bridge].mate].head;
  int64_t amount = findRoom(to, findRoom(from, arcs[bridge].room));
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
  while (vertices[top].time != now) {
    VertexState &state = vertices[top];
    ++work;
    if (state.parent == kOrphan || state.parent == kNoParent)
      return 0;
    if (state.parent == kTerminal) {
      state.time = now;
      state.distance = 1;
      break;
    }
    top = state.above;
    ++steps;
  }
  uint32_t distance = vertices[top].distance + steps;
  for (uint32_t d = distance; vertex != top; --d) {
    VertexState &state = vertices[vertex];
    state.time = now;
    state.distance = d;
    vertex = state.above;
  }
  return distance;
}

/// Hangs an orphan on the neighbour that is nearest to the terminal, or makes
/// it free, and its children orphans.
void FlowNetwork::adopt(Vertex vertex) {
  VertexState &mine = vertices[vertex];
  Edge end = vertices[vertex + 1].begin, best = kNoParent;
  uint32_t shortest = ~0u;
  for (Edge edge = mine.begin; edge < end; ++edge) {
    ++work;
    if (getRoomBack(edge, mine.tree) == 0 ||
        vertices[arcs[edge].head].tree != mine.tree)
      continue;
    uint32_t distance = findDistance(arcs[edge].head);
    if (distance == 0 || distance >= shortest)
      continue;
    shortest = distance;
    best = edge;
  }
  mine.parent = best;
  if (best != kNoParent) {
    mine.above = arcs[best].head;
    mine.time = now;
    mine.distance = shortest + 1;
    return;
  }
  for (Edge edge = mine.begin; edge < end; ++edge) {
    Vertex other = arcs[edge].head;
    ++work;
    if (vertices[other].tree != mine.tree)
      continue;
    if (getRoomBack(edge, mine.tree) != 0)
      activate(other);
    if (vertices[other].parent == arcs[edge].mate)
      orphan(other);
  }
  mine.tree = Free;
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
      for (const VertexState &vertex : ArrayRef(vertices).drop_back())
        isSink.push_back(vertex.tree == Sink ||
                         (isFreeSink && vertex.tree == Free));
      closeOverInfinite(isSink, towardsSink);
    }
  cuts.emplace_back(terminals.size(), true);
  auto *best = std::min_element(
      cuts.begin(), cuts.end(),
      [&](const auto &a, const auto &b) { return getCost(a) < getCost(b); });
  int64_t gap = getCost(*best) - flow;
  HETERO_ASSERT(gap >= 0, "no cut is less than a flow");
  return {std::move(*best), gap};
}

MinimumCut FlowNetwork::run(uint64_t maxWork) {
  settle();
  plantTrees();
  while (firstActive < active.size()) {
    Vertex vertex = active[firstActive];
    VertexState &state = vertices[vertex];
    Edge bridge = state.tree == Free ? kNoParent : grow(vertex);
    if (bridge == kNoParent) {
      state.isActive = false;
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
  for (const VertexState &state : ArrayRef(vertices).drop_back())
    cut.isSink.push_back(state.tree == Sink);
  HETERO_ASSERT(
      getCost(cut.isSink) == flow,
      "no cut is less than a flow, so that one as large is the least");
  return cut;
}

/// Each vertex has the ends of its edges in their order.
SmallVector<int64_t, 0> FlowNetwork::getFlows() const {
  SmallVector<Edge, 0> next;
  for (const VertexState &vertex : vertices)
    next.push_back(vertex.begin);
  SmallVector<int64_t, 0> flows;
  for (const FlowEdge &edge : edges) {
    flows.push_back(edge.capacity - arcs[next[edge.from]++].room);
    ++next[edge.to];
  }
  return flows;
}

SmallVector<int64_t, 0>
mlir::hetero::findMaximumFlow(ArrayRef<int64_t> terminals,
                              ArrayRef<FlowEdge> edges) {
  FlowNetwork network(terminals, edges);
  network.run(/*maxWork=*/0);
  return network.getFlows();
}

MinimumCut mlir::hetero::findMinimumCut(ArrayRef<int64_t> terminals,
                                        ArrayRef<FlowEdge> edges,
                                        uint64_t maxWork) {
  return FlowNetwork(terminals, edges).run(maxWork);
}
