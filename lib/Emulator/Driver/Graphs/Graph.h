//===- Graph.h - Work that is captured and replayed, events -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Streams, graphs of their work, and events, which stand in either. A captured
// stream is a lane of a graph: its work is in order. Lanes wait for
// work of others where events said so.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_GRAPHS_GRAPH_H
#define HETERO_LIB_EMULATOR_DRIVER_GRAPHS_GRAPH_H

#include "Emulator/Device/Stream.h"
#include "Emulator/Driver/Types.h"

#include "Emulator/Driver/Graphs/UserObject.h"

#include "hetero/Runtime/CudaDriver.h"

#include <optional>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

namespace hetero::emulator {

/// Gives work to a stream, as the captured call would have done.
using IssueWork = std::function<void(const std::shared_ptr<Stream> &)>;

/// CUgraphNodeType.
enum class NodeKind : int {
  Kernel = 0,
  Copy = 1,
  Fill = 2,
  Host = 3,
  Child = 4,
  Empty = 5,
  Wait = 6,
  Record = 7,
  Allocation = 10,
  Free = 11,
  Words = 12
};

struct Event;
class Graph;
struct GraphMemory;
struct KernelNode;

/// The memory that a node frees.
struct FreedMemory {
  std::shared_ptr<GraphMemory> memory;
};

/// What a node was made of, for those who ask or change it.
using NodeParams =
    std::variant<std::monostate, std::shared_ptr<const KernelNode>, Copy3D,
                 FillBox, HostCall, std::shared_ptr<Event>,
                 std::shared_ptr<Graph>, std::shared_ptr<GraphMemory>,
                 FreedMemory, std::shared_ptr<std::vector<WordOperation>>>;

/// What a node does, where.
struct NodeWork {
  NodeKind kind;
  Context *context;
  IssueWork issue; ///< None for what does nothing.
  NodeParams params;
};

/// CUgraphNode.
struct GraphNode : NodeWork {
  Graph *graph;
  std::vector<GraphNode *> after;
  const GraphNode *original = nullptr; ///< Of a node of a clone.
};

/// CUgraph: nodes in the order in which they were added.
class Graph {
public:
  ~Graph();

  std::vector<std::shared_ptr<GraphNode>> nodes;
  /// Where it was made; null if nowhere. It goes with the context.
  Context *home = nullptr;
  UserReferences references;

  GraphNode &add(NodeWork work, std::vector<GraphNode *> after);
  /// Forgets a node, and what comes after it no longer does.
  void remove(GraphNode &node);
  std::shared_ptr<Graph> clone() const;
  /// Nodes after those that they come after; fewer than there are if some
  /// come after themselves.
  std::vector<const GraphNode *> sorted() const;
  bool isOn(const Context &context) const;
  /// Some nodes allocate or free: there can be one graph of that kind.
  bool usesMemory() const;
};

/// Nodes of an ExecGraph that come before something else, by index.
using Frontier = std::vector<unsigned>;

/// CUgraphExec: a graph with streams of its own, so that launches of it come
/// one after the other.
class ExecGraph {
public:
  explicit ExecGraph(const Graph &graph);
  ~ExecGraph();

  /// Runs the graph between what the stream was given before and after.
  void launch(const std::shared_ptr<Stream> &stream);

  /// CUgraphExecUpdateResult.
  enum class Update : int { Done = 0, Topology = 2, Kind = 3 };
  /// Takes the work of a graph of the same shape, or says of which of its
  /// nodes the shape is another.
  Update update(const Graph &other, const GraphNode *&mismatch);
  /// Gives other work to a node of the graph that this was made from; false if
  /// there is no such node of that kind.
  bool setWork(const GraphNode *node, NodeWork work);
  /// Gives other work to the nodes of a node that is a graph.
  bool setChild(const GraphNode *node, const Graph &child);
  bool setEnabled(const GraphNode *node, bool isEnabled);
  std::optional<bool> isEnabled(const GraphNode *node);
  bool isOn(const Context &context) const;
  /// The memory that its nodes allocate.
  const std::vector<std::shared_ptr<GraphMemory>> &memory() const {
    return allocations;
  }
  /// A graph that does the same, without graphs in it.
  std::shared_ptr<Graph> asGraph();

  std::atomic<unsigned long long> flags{0};

private:
  UserReferences references;

  struct Node {
    NodeWork work;
    const GraphNode *original; ///< Null for what joins parts.
    Frontier after;
    unsigned lane = 0;
    bool isAwaited = false, isEnabled = true;
  };

  static void flatten(const Graph &graph, const Frontier &entry,
                      std::vector<Node> &nodes, Frontier &ends);
  static Update compare(const std::vector<Node> &nodes,
                        const std::vector<Node> &others,
                        const GraphNode *&mismatch);
  void assignLanes();
  Node *find(const GraphNode *node);

  std::mutex mutex;
  Context *const home;
  std::vector<std::shared_ptr<GraphMemory>> allocations;
  std::vector<Node> nodes; ///< Each after those that it comes after.
  std::vector<std::shared_ptr<Stream>> streams;
};

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_GRAPHS_GRAPH_H
