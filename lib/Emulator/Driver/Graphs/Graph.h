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
  Record = 7
};

struct Event;
class Graph;
struct KernelNode;

/// What a node was made of, for those who ask or change it.
using NodeParams =
    std::variant<std::monostate, std::shared_ptr<const KernelNode>, Copy3D,
                 FillBox, HostCall, std::shared_ptr<Event>,
                 std::shared_ptr<Graph>>;

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
  /// Nodes behind those that they come after; fewer than there are if some
  /// come after themselves.
  std::vector<const GraphNode *> sorted() const;
  bool isOn(const Context &context) const;
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
  std::vector<Node> nodes; ///< Each behind those that it comes after.
  std::vector<std::shared_ptr<Stream>> streams;
};

/// CUstreamCaptureMode: whose calls that wait or allocate are refused while the
/// capture lasts, and, of a thread, whose captures refuse its calls.
enum class CaptureMode : int { Global = 0, ThreadLocal = 1, Relaxed = 2 };

class Capture;

/// What a captured stream does with its calls.
struct CaptureLane {
  std::shared_ptr<Capture> capture;
  unsigned index;
};

/// An event's place in a graph that is being captured.
struct CapturedPoint {
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode *> nodes; ///< That it comes after.
};

/// From cuStreamBeginCapture to cuStreamEndCapture.
class Capture : public std::enable_shared_from_this<Capture> {
public:
  /// Captures the stream; kInvalidValue if it is captured already. The work
  /// goes to a graph that there is, after some of its nodes, or to a new one.
  static cuda::Result begin(const std::shared_ptr<Stream> &origin,
                            CaptureMode mode,
                            std::shared_ptr<Graph> graph = nullptr,
                            std::vector<GraphNode *> after = {});
  /// Ends the capture of `origin` with its graph.
  static cuda::Result end(const std::shared_ptr<Stream> &origin,
                          std::shared_ptr<Graph> &graph);
  /// Refuses, and ends in failure what is captured, when the calling thread may
  /// not do what could wait for work that is only captured.
  static cuda::Result checkUnsafeCall();
  /// Sets which captures that is for the calling thread; returns the former.
  static CaptureMode exchangeThreadMode(CaptureMode mode);
  /// The same for work of the default stream, which blocking streams wait for.
  static cuda::Result checkDefaultStream(const Context &context);

  cuda::Result add(unsigned lane, NodeKind kind, IssueWork issue,
                   NodeParams params = {});
  /// Behind all that the lane was given.
  CapturedPoint getPoint(unsigned lane);
  /// Lets the stream wait; one that is not captured is from here on.
  cuda::Result wait(const std::shared_ptr<Stream> &stream,
                    const std::vector<GraphNode *> &nodes);
  /// The graph as far as it is, which programs may add to, and what the next
  /// work of the lane comes after. Both last until the lane's next call.
  Graph *show(unsigned lane, GraphNode *const *&nodes, size_t &count);
  /// Lets the next work of the lane come after other nodes, or after more.
  cuda::Result setAfter(unsigned lane, const std::vector<GraphNode *> &nodes,
                        bool replaces);
  /// Nothing comes of the capture any more; it still has to be ended.
  void invalidate();
  bool isValid();
  /// Ends it without a graph.
  void abandon();

  const uint64_t id = ++lastId; ///< Unique in the process.

private:
  struct Lane {
    std::shared_ptr<Stream> stream;
    std::vector<GraphNode *> after; ///< What its next work comes after.
  };

  explicit Capture(CaptureMode mode) : mode(mode) {}
  unsigned addLane(const std::shared_ptr<Stream> &stream);
  bool isJoined() const;
  void release();
  void forget();
  cuda::Result finish(const Stream &origin, std::shared_ptr<Graph> &result);

  inline static std::atomic<uint64_t> lastId{0};
  const CaptureMode mode;
  const std::thread::id thread = std::this_thread::get_id();
  std::mutex mutex;
  std::shared_ptr<Graph> graph; ///< Until it is over.
  bool isNew = true;            ///< No program had the graph before.
  /// Captured nodes, and the lanes that they came from.
  std::unordered_map<const GraphNode *, unsigned> lanesOf;
  std::vector<Lane> lanes; ///< The first is the origin's.
  bool valid = true, over = false;
};

/// What cuEventRecord recorded last; nothing at first.
struct Event {
  Event(Context &context, bool timed) : context(context), timed(timed) {}
  Context &context;
  const bool timed;
  std::mutex mutex;
  std::shared_ptr<Marker> marker;
  std::optional<CapturedPoint> point;

  std::shared_ptr<Marker> current() {
    std::lock_guard<std::mutex> lock(mutex);
    return marker;
  }
  std::optional<CapturedPoint> capturedPoint() {
    std::lock_guard<std::mutex> lock(mutex);
    return point;
  }
};

/// Gives work to a stream, or to the graph that is captured from it.
cuda::Result issueOrCapture(const std::shared_ptr<Stream> &stream,
                            NodeKind kind, IssueWork issue,
                            NodeParams params = {});

/// The lane of a stream; null when it is not captured.
std::shared_ptr<CaptureLane> getLane(const Stream &stream);

/// Refuses what would wait for a captured stream, which ends the capture in
/// failure.
cuda::Result checkNotCaptured(const Stream &stream);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_GRAPHS_GRAPH_H
