//===- Graph.cpp - Work that is captured and replayed ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include "Device.h"
#include "Log.h"

#include <algorithm>
#include <utility>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

bool Graph::hasShapeOf(const Graph &other) const {
  return lanes == other.lanes &&
         std::equal(nodes.begin(), nodes.end(), other.nodes.begin(),
                    other.nodes.end(),
                    [](const GraphNode &a, const GraphNode &b) {
                      return a.kind == b.kind && a.lane == b.lane &&
                             a.after == b.after;
                    });
}

bool Graph::isOn(const Context &context) const {
  return std::find(lanes.begin(), lanes.end(), &context) != lanes.end();
}

ExecGraph::ExecGraph(const Graph &graph)
    : graph(graph), isAwaited(graph.nodes.size()) {
  for (const GraphNode &node : graph.nodes)
    for (unsigned index : node.after)
      isAwaited[index] = true;
  for (Context *context : graph.lanes)
    streams.push_back(Stream::create(*context, /*blocking=*/false));
}

ExecGraph::~ExecGraph() {
  for (const std::shared_ptr<Stream> &stream : streams)
    stream->stop();
}

void ExecGraph::launch(const std::shared_ptr<Stream> &stream) {
  std::lock_guard<std::mutex> lock(mutex);
  Timeline::OneCall call(getDriver()->timeline.get());
  logGraphLaunch(stream->context.device.ordinal, graph.nodes.size());
  std::shared_ptr<Marker> start = stream->context.record(stream);
  for (const std::shared_ptr<Stream> &lane : streams)
    lane->context.wait(lane, start);
  std::vector<std::shared_ptr<Marker>> done(graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode &node = graph.nodes[i];
    const std::shared_ptr<Stream> &lane = streams[node.lane];
    for (unsigned index : node.after)
      lane->context.wait(lane, done[index]);
    node.issue(lane);
    if (isAwaited[i])
      done[i] = lane->context.record(lane);
  }
  for (const std::shared_ptr<Stream> &lane : streams)
    stream->context.wait(stream, lane->context.record(lane));
}

bool ExecGraph::update(const Graph &other) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!graph.hasShapeOf(other))
    return false;
  graph = other;
  return true;
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

/// Those that are not over.
static std::mutex capturesMutex;
static std::vector<std::shared_ptr<Capture>> captures;

static std::vector<std::shared_ptr<Capture>> getCaptures() {
  std::lock_guard<std::mutex> lock(capturesMutex);
  return captures;
}

std::shared_ptr<CaptureLane> hetero::emulator::getLane(const Stream &stream) {
  return std::atomic_load(&stream.lane);
}

cuda::Result Capture::begin(const std::shared_ptr<Stream> &origin,
                            CaptureMode mode) {
  if (getLane(*origin))
    return cuda::kInvalidValue;
  std::shared_ptr<Capture> capture(new Capture(mode));
  {
    std::lock_guard<std::mutex> lock(capture->mutex);
    capture->addLane(origin);
  }
  std::lock_guard<std::mutex> lock(capturesMutex);
  captures.push_back(std::move(capture));
  return cuda::kSuccess;
}

unsigned Capture::addLane(const std::shared_ptr<Stream> &stream) {
  unsigned index = lanes.size();
  lanes.push_back({stream, std::nullopt, {}});
  graph.lanes.push_back(&stream->context);
  std::atomic_store(&stream->lane, std::make_shared<CaptureLane>(
                                       CaptureLane{shared_from_this(), index}));
  return index;
}

cuda::Result Capture::add(unsigned index, NodeKind kind, IssueWork issue) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  Lane &lane = lanes[index];
  graph.nodes.push_back({kind, index, std::move(issue), {}});
  graph.nodes.back().after.swap(lane.awaited);
  lane.last = graph.nodes.size() - 1;
  return cuda::kSuccess;
}

Frontier Capture::getFrontier(const Lane &lane) const {
  Frontier frontier = lane.awaited;
  if (lane.last)
    frontier.push_back(*lane.last);
  return frontier;
}

CapturedPoint Capture::getPoint(unsigned lane) {
  std::lock_guard<std::mutex> lock(mutex);
  return {shared_from_this(), getFrontier(lanes[lane])};
}

cuda::Result Capture::wait(const std::shared_ptr<Stream> &stream,
                           const Frontier &frontier) {
  std::lock_guard<std::mutex> lock(mutex);
  if (over)
    return cuda::kCapturedEvent;
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  std::shared_ptr<CaptureLane> known = getLane(*stream);
  unsigned index = known ? known->index : addLane(stream);
  for (unsigned node : frontier)
    if (graph.nodes[node].lane != index)
      lanes[index].awaited.push_back(node);
  return cuda::kSuccess;
}

void Capture::invalidate() {
  std::lock_guard<std::mutex> lock(mutex);
  valid = false;
}

bool Capture::isValid() {
  std::lock_guard<std::mutex> lock(mutex);
  return valid;
}

void Capture::abandon() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    release();
  }
  forget();
}

/// Its streams run again.
void Capture::release() {
  over = true;
  for (const Lane &lane : lanes)
    std::atomic_store(&lane.stream->lane, std::shared_ptr<CaptureLane>());
  lanes.clear();
}

void Capture::forget() {
  std::lock_guard<std::mutex> lock(capturesMutex);
  captures.erase(
      std::remove(captures.begin(), captures.end(), shared_from_this()),
      captures.end());
}

/// True when the origin comes after all work of all lanes.
bool Capture::isJoined() const {
  std::vector<bool> isBefore(graph.nodes.size());
  for (unsigned index : getFrontier(lanes.front()))
    isBefore[index] = true;
  std::vector<std::optional<unsigned>> next(lanes.size());
  for (unsigned i = graph.nodes.size(); i-- > 0;) {
    const GraphNode &node = graph.nodes[i];
    // Behind it in its lane.
    if (next[node.lane] && isBefore[*next[node.lane]])
      isBefore[i] = true;
    next[node.lane] = i;
    if (!isBefore[i])
      return false;
    for (unsigned index : node.after)
      isBefore[index] = true;
  }
  return true;
}

cuda::Result Capture::finish(const Stream &origin,
                             std::shared_ptr<Graph> &result) {
  std::lock_guard<std::mutex> lock(mutex);
  if (lanes.front().stream.get() != &origin)
    return cuda::kStreamCaptureUnmatched;
  if (mode != CaptureMode::Relaxed && thread != std::this_thread::get_id())
    return cuda::kStreamCaptureWrongThread;
  bool joined = isJoined();
  release();
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  if (!joined)
    return cuda::kStreamCaptureUnjoined;
  result = std::make_shared<Graph>(std::move(graph));
  return cuda::kSuccess;
}

cuda::Result Capture::end(const std::shared_ptr<Stream> &origin,
                          std::shared_ptr<Graph> &graph) {
  std::shared_ptr<CaptureLane> lane = getLane(*origin);
  if (!lane)
    return cuda::kInvalidValue;
  cuda::Result result = lane->capture->finish(*origin, graph);
  if (!getLane(*origin))
    lane->capture->forget();
  return result;
}

static thread_local CaptureMode threadMode = CaptureMode::Global;

CaptureMode Capture::exchangeThreadMode(CaptureMode mode) {
  return std::exchange(threadMode, mode);
}

cuda::Result Capture::checkUnsafeCall() {
  if (threadMode == CaptureMode::Relaxed)
    return cuda::kSuccess;
  cuda::Result result = cuda::kSuccess;
  for (const std::shared_ptr<Capture> &capture : getCaptures()) {
    bool isOwn = capture->thread == std::this_thread::get_id();
    if (isOwn ? capture->mode == CaptureMode::Relaxed
              : capture->mode != CaptureMode::Global ||
                    threadMode == CaptureMode::ThreadLocal)
      continue;
    capture->invalidate();
    result = cuda::kStreamCaptureUnsupported;
  }
  return result;
}

cuda::Result Capture::checkDefaultStream(const Context &context) {
  for (const std::shared_ptr<Capture> &capture : getCaptures()) {
    std::lock_guard<std::mutex> lock(capture->mutex);
    for (const Lane &lane : capture->lanes)
      if (lane.stream->blocking && &lane.stream->context == &context) {
        capture->valid = false;
        return cuda::kStreamCaptureImplicit;
      }
  }
  return cuda::kSuccess;
}

cuda::Result
hetero::emulator::issueOrCapture(const std::shared_ptr<Stream> &stream,
                                 NodeKind kind, IssueWork issue) {
  if (std::shared_ptr<CaptureLane> lane = getLane(*stream))
    return lane->capture->add(lane->index, kind, std::move(issue));
  issue(stream);
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::checkNotCaptured(const Stream &stream) {
  std::shared_ptr<CaptureLane> lane = getLane(stream);
  if (!lane)
    return cuda::kSuccess;
  lane->capture->invalidate();
  return cuda::kStreamCaptureUnsupported;
}
