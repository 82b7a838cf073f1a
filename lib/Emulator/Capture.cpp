//===- Capture.cpp - Work that becomes a graph ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include "Device.h"

#include <algorithm>
#include <utility>

using namespace hetero::emulator;
using namespace hetero;

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
  std::atomic_store(&stream->lane, std::make_shared<CaptureLane>(
                                       CaptureLane{shared_from_this(), index}));
  return index;
}

cuda::Result Capture::add(unsigned index, NodeKind kind, IssueWork issue,
                          NodeParams params) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  Lane &lane = lanes[index];
  nodes.push_back(
      {index,
       {kind, &lane.stream->context, std::move(issue), std::move(params)},
       {}});
  nodes.back().after.swap(lane.awaited);
  lane.last = nodes.size() - 1;
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
    if (nodes[node].lane != index)
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
  std::vector<bool> isBefore(nodes.size());
  for (unsigned index : getFrontier(lanes.front()))
    isBefore[index] = true;
  std::vector<std::optional<unsigned>> next(lanes.size());
  for (unsigned i = nodes.size(); i-- > 0;) {
    const Node &node = nodes[i];
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

/// A node comes after the one before it in its lane, and those of other lanes.
std::shared_ptr<Graph> Capture::makeGraph() const {
  auto graph = std::make_shared<Graph>();
  graph->home = &lanes.front().stream->context;
  std::vector<GraphNode *> made, last(lanes.size());
  for (const Node &node : nodes) {
    std::vector<GraphNode *> after;
    if (last[node.lane])
      after.push_back(last[node.lane]);
    for (unsigned index : node.after)
      if (std::find(after.begin(), after.end(), made[index]) == after.end())
        after.push_back(made[index]);
    last[node.lane] = &graph->add(node.work, std::move(after));
    made.push_back(last[node.lane]);
  }
  return graph;
}

cuda::Result Capture::finish(const Stream &origin,
                             std::shared_ptr<Graph> &result) {
  std::lock_guard<std::mutex> lock(mutex);
  if (lanes.front().stream.get() != &origin)
    return cuda::kStreamCaptureUnmatched;
  if (mode != CaptureMode::Relaxed && thread != std::this_thread::get_id())
    return cuda::kStreamCaptureWrongThread;
  bool joined = isJoined();
  std::shared_ptr<Graph> graph = makeGraph();
  release();
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  if (!joined)
    return cuda::kStreamCaptureUnjoined;
  result = std::move(graph);
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
                                 NodeKind kind, IssueWork issue,
                                 NodeParams params) {
  if (std::shared_ptr<CaptureLane> lane = getLane(*stream))
    return lane->capture->add(lane->index, kind, std::move(issue),
                              std::move(params));
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
