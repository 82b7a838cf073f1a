//===- Graph.cpp - Graphs of work, and their launches ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Driver.h"

#include "Emulator/Driver/Log.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Graph::~Graph() {
  for (const std::shared_ptr<GraphNode> &node : nodes)
    getDriver()->graphNodes.remove(node.get());
}

GraphNode &Graph::add(NodeWork work, std::vector<GraphNode *> after) {
  auto node = std::make_shared<GraphNode>();
  static_cast<NodeWork &>(*node) = std::move(work);
  node->graph = this;
  node->after = std::move(after);
  getDriver()->graphNodes.add(node);
  nodes.push_back(std::move(node));
  return *nodes.back();
}

void Graph::remove(GraphNode &node) {
  for (const std::shared_ptr<GraphNode> &other : nodes)
    other->after.erase(
        std::remove(other->after.begin(), other->after.end(), &node),
        other->after.end());
  std::shared_ptr<GraphNode> last = getDriver()->graphNodes.remove(&node);
  nodes.erase(std::remove(nodes.begin(), nodes.end(), last), nodes.end());
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  copy->home = home;
  copy->references = references;
  std::unordered_map<const GraphNode *, GraphNode *> copies;
  for (const std::shared_ptr<GraphNode> &node : nodes) {
    GraphNode &mine = copy->add(*node, {});
    if (auto *child = std::get_if<std::shared_ptr<Graph>>(&mine.params))
      *child = (*child)->clone();
    mine.original = node.get();
    copies[node.get()] = &mine;
  }
  for (const std::shared_ptr<GraphNode> &node : nodes)
    for (GraphNode *before : node->after)
      copies[node.get()]->after.push_back(copies[before]);
  return copy;
}

/// In the order in which they were added, as far as what they wait for allows.
std::vector<const GraphNode *> Graph::sorted() const {
  std::unordered_map<const GraphNode *, size_t> numBefore;
  std::unordered_map<const GraphNode *, std::vector<size_t>> successors;
  std::set<size_t> ready;
  for (size_t i = 0; i < nodes.size(); ++i) {
    numBefore[nodes[i].get()] = nodes[i]->after.size();
    if (nodes[i]->after.empty())
      ready.insert(i);
    for (const GraphNode *before : nodes[i]->after)
      successors[before].push_back(i);
  }
  std::vector<const GraphNode *> order;
  while (!ready.empty()) {
    const GraphNode *node = nodes[*ready.begin()].get();
    ready.erase(ready.begin());
    order.push_back(node);
    for (size_t index : successors[node])
      if (--numBefore[nodes[index].get()] == 0)
        ready.insert(index);
  }
  return order;
}

bool Graph::usesMemory() const {
  return std::any_of(nodes.begin(), nodes.end(), [](const auto &node) {
    return node->kind == NodeKind::Allocation || node->kind == NodeKind::Free;
  });
}

bool Graph::isOn(const Context &context) const {
  return home == &context ||
         std::any_of(nodes.begin(), nodes.end(), [&](const auto &node) {
           auto *child = std::get_if<std::shared_ptr<Graph>>(&node->params);
           return node->context == &context ||
                  (child && (*child)->isOn(context));
         });
}

//===----------------------------------------------------------------------===//
// Graphs that can be launched
//===----------------------------------------------------------------------===//

/// Appends the nodes; those without predecessors come after `entry`, and `ends`
/// gets those without successors. A node that is a graph becomes one that does
/// nothing before the graph's nodes, and one after them.
void ExecGraph::flatten(const Graph &graph, const Frontier &entry,
                        std::vector<Node> &nodes, Frontier &ends) {
  std::unordered_map<const GraphNode *, unsigned> places;
  std::set<unsigned> last;
  for (const GraphNode *node : graph.sorted()) {
    Frontier after = node->after.empty() ? entry : Frontier();
    for (const GraphNode *before : node->after) {
      after.push_back(places[before]);
      last.erase(places[before]);
    }
    nodes.push_back({*node, node, std::move(after)});
    if (auto *child = std::get_if<std::shared_ptr<Graph>>(&node->params)) {
      Frontier inner;
      flatten(**child, {static_cast<unsigned>(nodes.size() - 1)}, nodes, inner);
      nodes.push_back(
          {{NodeKind::Empty, node->context, nullptr, {}}, nullptr, inner});
    }
    places[node] = nodes.size() - 1;
    last.insert(places[node]);
  }
  ends.assign(last.begin(), last.end());
  if (ends.empty())
    ends = entry;
}

ExecGraph::ExecGraph(const Graph &graph)
    : references(graph.references), home(graph.home) {
  Frontier ends;
  flatten(graph, {}, nodes, ends);
  assignLanes();
  for (const Node &node : nodes)
    if (auto *memory =
            std::get_if<std::shared_ptr<GraphMemory>>(&node.work.params))
      allocations.push_back(*memory);
}

std::shared_ptr<Graph> ExecGraph::asGraph() {
  auto graph = std::make_shared<Graph>();
  std::lock_guard<std::mutex> lock(mutex);
  graph->home = home;
  graph->references = references;
  for (const Node &node : nodes) {
    std::vector<GraphNode *> after;
    for (unsigned before : node.after)
      after.push_back(graph->nodes[before].get());
    // The nodes of a graph come after its own.
    bool isWork = node.work.kind != NodeKind::Child && node.isEnabled;
    graph->add(isWork
                   ? node.work
                   : NodeWork{NodeKind::Empty, node.work.context, nullptr, {}},
               std::move(after));
  }
  return graph;
}

ExecGraph::~ExecGraph() {
  for (const std::shared_ptr<Stream> &stream : streams)
    stream->stop();
}

/// A node follows one that it comes after, if no other has done so. Streams are
/// threads: of very wide graphs, nodes share them.
void ExecGraph::assignLanes() {
  constexpr size_t kMostLanes = 32;
  std::vector<unsigned> last; // Of each lane.
  for (unsigned i = 0; i < nodes.size(); ++i) {
    Node &node = nodes[i];
    auto fits = [&](unsigned lane) {
      return &streams[lane]->context == node.work.context;
    };
    std::optional<unsigned> found;
    for (unsigned before : node.after)
      if (!found && last[nodes[before].lane] == before &&
          fits(nodes[before].lane))
        found = nodes[before].lane;
    for (unsigned lane = 0;
         streams.size() >= kMostLanes && !found && lane < streams.size();
         ++lane)
      if (fits((lane + i) % streams.size()))
        found = (lane + i) % streams.size();
    if (!found) {
      found = streams.size();
      streams.push_back(Stream::create(*node.work.context, /*blocking=*/false));
      last.push_back(i);
    }
    node.lane = *found;
    last[*found] = i;
    for (unsigned before : node.after)
      nodes[before].isAwaited |= nodes[before].lane != *found;
  }
}

void ExecGraph::launch(const std::shared_ptr<Stream> &stream) {
  std::lock_guard<std::mutex> lock(mutex);
  Timeline::OneCall call(getDriver()->timeline());
  logGraphLaunch(stream->context.device.ordinal,
                 std::count_if(nodes.begin(), nodes.end(),
                               [](const Node &node) { return node.original; }));
  std::shared_ptr<Marker> start = stream->context.record(stream);
  for (const std::shared_ptr<Stream> &lane : streams)
    lane->context.wait(lane, start);
  std::vector<std::shared_ptr<Marker>> done(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node &node = nodes[i];
    const std::shared_ptr<Stream> &lane = streams[node.lane];
    for (unsigned index : node.after)
      if (nodes[index].lane != node.lane)
        lane->context.wait(lane, done[index]);
    if (node.work.issue && node.isEnabled)
      node.work.issue(lane);
    if (node.isAwaited)
      done[i] = lane->context.record(lane);
  }
  for (const std::shared_ptr<Stream> &lane : streams)
    stream->context.wait(stream, lane->context.record(lane));
}

ExecGraph::Update ExecGraph::compare(const std::vector<Node> &nodes,
                                     const std::vector<Node> &others,
                                     const GraphNode *&mismatch) {
  for (size_t i = 0; i < others.size(); ++i) {
    const Node &other = others[i];
    mismatch = other.original;
    if (i >= nodes.size() || nodes[i].after != other.after ||
        nodes[i].work.context != other.work.context)
      return Update::Topology;
    if (nodes[i].work.kind != other.work.kind)
      return Update::Kind;
  }
  mismatch = nullptr;
  return nodes.size() == others.size() ? Update::Done : Update::Topology;
}

ExecGraph::Update ExecGraph::update(const Graph &other,
                                    const GraphNode *&mismatch) {
  std::vector<Node> others;
  Frontier ends;
  flatten(other, {}, others, ends);
  std::lock_guard<std::mutex> lock(mutex);
  Update result = compare(nodes, others, mismatch);
  for (size_t i = 0; result == Update::Done && i < nodes.size(); ++i)
    nodes[i].work = std::move(others[i].work);
  return result;
}

/// Under the mutex.
ExecGraph::Node *ExecGraph::find(const GraphNode *original) {
  for (Node &node : nodes)
    if (original && node.original == original)
      return &node;
  return nullptr;
}

bool ExecGraph::setWork(const GraphNode *original, NodeWork work) {
  std::lock_guard<std::mutex> lock(mutex);
  Node *node = find(original);
  if (!node || node->work.kind != work.kind ||
      node->work.context != work.context)
    return false;
  node->work = std::move(work);
  return true;
}

bool ExecGraph::setChild(const GraphNode *original, const Graph &child) {
  std::lock_guard<std::mutex> lock(mutex);
  Node *node = find(original);
  if (!node || node->work.kind != NodeKind::Child)
    return false;
  // The graph's nodes stand after the node.
  unsigned first = node - nodes.data();
  std::vector<Node> others(nodes.begin(), nodes.begin() + first + 1);
  Frontier ends;
  flatten(child, {first}, others, ends);
  if (others.size() >= nodes.size() || nodes[others.size()].original ||
      nodes[others.size()].after != ends)
    return false;
  std::vector<Node> mine(nodes.begin(), nodes.begin() + others.size());
  const GraphNode *mismatch;
  if (compare(mine, others, mismatch) != Update::Done)
    return false;
  for (size_t i = first + 1; i < others.size(); ++i)
    nodes[i].work = std::move(others[i].work);
  return true;
}

bool ExecGraph::setEnabled(const GraphNode *original, bool isEnabled) {
  std::lock_guard<std::mutex> lock(mutex);
  Node *node = find(original);
  bool canBe = node && (node->work.kind == NodeKind::Kernel ||
                        node->work.kind == NodeKind::Copy ||
                        node->work.kind == NodeKind::Fill);
  if (canBe)
    node->isEnabled = isEnabled;
  return canBe;
}

std::optional<bool> ExecGraph::isEnabled(const GraphNode *original) {
  std::lock_guard<std::mutex> lock(mutex);
  if (Node *node = find(original))
    return node->isEnabled;
  return std::nullopt;
}

bool ExecGraph::isOn(const Context &context) const {
  auto isHere = [&](const std::shared_ptr<Stream> &stream) {
    return &stream->context == &context;
  };
  return home == &context ||
         std::any_of(streams.begin(), streams.end(), isHere);
}
