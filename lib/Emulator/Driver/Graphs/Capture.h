//===- Capture.h - Streams whose work goes to a graph -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_GRAPHS_CAPTURE_H
#define HETERO_LIB_EMULATOR_DRIVER_GRAPHS_CAPTURE_H

#include "Emulator/Driver/Graphs/Graph.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

namespace hetero::emulator {

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
  /// The same of memory, whose nodes know the graph.
  cuda::Result addAllocation(unsigned lane, AllocationParams &params);
  cuda::Result addFree(unsigned lane, cuda::DevicePointer address);
  /// After all that the lane was given.
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
  void addTo(unsigned lane, NodeWork work);
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

#endif // HETERO_LIB_EMULATOR_DRIVER_GRAPHS_CAPTURE_H
