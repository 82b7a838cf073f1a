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

#ifndef HETERO_LIB_EMULATOR_GRAPH_H
#define HETERO_LIB_EMULATOR_GRAPH_H

#include "Stream.h"

#include "hetero/Runtime/CudaDriver.h"

#include <optional>
#include <thread>
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
  Wait = 6,
  Record = 7
};

/// Nodes that come before something else, by index.
using Frontier = std::vector<unsigned>;

struct GraphNode {
  NodeKind kind;
  unsigned lane;
  IssueWork issue;
  Frontier after; ///< In other lanes.
};

/// CUgraph: nodes in the order of the calls.
struct Graph {
  std::vector<GraphNode> nodes;
  std::vector<Context *> lanes; ///< The context of each.

  /// True when the other has the same kinds of nodes in the same order.
  bool hasShapeOf(const Graph &other) const;
  bool isOn(const Context &context) const;
};

/// CUgraphExec: a graph with a stream for each lane, so that launches of it
/// come one after the other.
class ExecGraph {
public:
  explicit ExecGraph(const Graph &graph);
  ~ExecGraph();

  /// Runs the graph between what the stream was given before and after.
  void launch(const std::shared_ptr<Stream> &stream);
  /// Takes the arguments of a graph of the same shape; false if it has not.
  bool update(const Graph &other);
  bool isOn(const Context &context) const { return graph.isOn(context); }

private:
  std::mutex mutex;
  Graph graph;
  std::vector<bool> isAwaited; ///< By node: another lane waits for it.
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
  Frontier frontier;
};

/// From cuStreamBeginCapture to cuStreamEndCapture.
class Capture : public std::enable_shared_from_this<Capture> {
public:
  /// Captures the stream; kInvalidValue if it is captured already.
  static cuda::Result begin(const std::shared_ptr<Stream> &origin,
                            CaptureMode mode);
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

  cuda::Result add(unsigned lane, NodeKind kind, IssueWork issue);
  /// Behind all that the lane was given.
  CapturedPoint getPoint(unsigned lane);
  /// Lets the stream wait; one that is not captured is from here on.
  cuda::Result wait(const std::shared_ptr<Stream> &stream,
                    const Frontier &frontier);
  /// Nothing comes of the capture any more; it still has to be ended.
  void invalidate();
  bool isValid();
  /// Ends it without a graph.
  void abandon();

private:
  struct Lane {
    std::shared_ptr<Stream> stream;
    std::optional<unsigned> last;
    Frontier awaited; ///< Since then.
  };

  explicit Capture(CaptureMode mode) : mode(mode) {}
  unsigned addLane(const std::shared_ptr<Stream> &stream);
  Frontier getFrontier(const Lane &lane) const;
  bool isJoined() const;
  void release();
  void forget();
  cuda::Result finish(const Stream &origin, std::shared_ptr<Graph> &result);

  const CaptureMode mode;
  const std::thread::id thread = std::this_thread::get_id();
  std::mutex mutex;
  Graph graph;
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
                            NodeKind kind, IssueWork issue);

/// The lane of a stream; null when it is not captured.
std::shared_ptr<CaptureLane> getLane(const Stream &stream);

/// Refuses what would wait for a captured stream, which ends the capture in
/// failure.
cuda::Result checkNotCaptured(const Stream &stream);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_GRAPH_H
