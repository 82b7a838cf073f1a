//===- Capture.cpp - Work that becomes a graph ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Graphs/Capture.h"

#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Graphs/GraphMemory.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Driver.h"

#include <algorithm>
#include <unordered_set>
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
                            CaptureMode mode, std::shared_ptr<Graph> graph,
                            std::vector<GraphNode *> after) {
  if (getLane(*origin))
    return cuda::kInvalidValue;
  std::shared_ptr<Capture> capture(new Capture(mode));
  {
    std::lock_guard<std::mutex> lock(capture->mutex);
    capture->isNew = !graph;
    capture->graph = graph ? std::move(graph) : std::make_shared<Graph>();
    if (capture->isNew)
      capture->graph->home = &origin->context;
    capture->addLane(origin);
    capture->lanes.front().after = std::move(after);
  }
  std::lock_guard<std::mutex> lock(capturesMutex);
  captures.push_back(std::move(capture));
  return cuda::kSuccess;
}

unsigned Capture::addLane(const std::shared_ptr<Stream> &stream) {
  unsigned index = lanes.size();
  lanes.push_back({stream, {}});
  std::atomic_store(&stream->lane, std::make_shared<CaptureLane>(
                                       CaptureLane{shared_from_this(), index}));
  return index;
}

cuda::Result Capture::add(unsigned index, NodeKind kind, IssueWork issue,
                          NodeParams params) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  addTo(index, {kind, &lanes[index].stream->context, std::move(issue),
                std::move(params)});
  return cuda::kSuccess;
}

/// Under the mutex.
void Capture::addTo(unsigned index, NodeWork work) {
  Lane &lane = lanes[index];
  GraphNode &node = graph->add(std::move(work), lane.after);
  lanesOf[&node] = index;
  lane.after = {&node};
}

cuda::Result Capture::addAllocation(unsigned index, AllocationParams &params) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  NodeWork work;
  if (cuda::Result error =
          makeAllocation(&params, lanes[index].stream->context, work))
    return error;
  addTo(index, std::move(work));
  return cuda::kSuccess;
}

cuda::Result Capture::addFree(unsigned index, cuda::DevicePointer address) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  NodeWork work;
  if (cuda::Result error =
          makeFree(address, *graph, lanes[index].stream->context, work))
    return error;
  addTo(index, std::move(work));
  return cuda::kSuccess;
}

CapturedPoint Capture::getPoint(unsigned lane) {
  std::lock_guard<std::mutex> lock(mutex);
  return {shared_from_this(), lanes[lane].after};
}

/// What the nodes of a lane come after already is not added.
cuda::Result Capture::wait(const std::shared_ptr<Stream> &stream,
                           const std::vector<GraphNode *> &nodes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (over)
    return cuda::kCapturedEvent;
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  std::shared_ptr<CaptureLane> known = getLane(*stream);
  unsigned index = known ? known->index : addLane(stream);
  std::vector<GraphNode *> &after = lanes[index].after;
  for (GraphNode *node : nodes) {
    auto it = lanesOf.find(node);
    if ((it == lanesOf.end() || it->second != index) &&
        std::find(after.begin(), after.end(), node) == after.end())
      after.push_back(node);
  }
  return cuda::kSuccess;
}

Graph *Capture::show(unsigned lane, GraphNode *const *&nodes, size_t &count) {
  std::lock_guard<std::mutex> lock(mutex);
  nodes = lanes[lane].after.data();
  count = lanes[lane].after.size();
  return getDriver()->graphs.add(graph);
}

cuda::Result Capture::setAfter(unsigned lane,
                               const std::vector<GraphNode *> &nodes,
                               bool replaces) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  for (const GraphNode *node : nodes)
    if (!getDriver()->graphNodes.find(node) || node->graph != graph.get())
      return cuda::kInvalidValue;
  std::vector<GraphNode *> &after = lanes[lane].after;
  if (replaces)
    after.clear();
  for (GraphNode *node : nodes)
    if (std::find(after.begin(), after.end(), node) == after.end())
      after.push_back(node);
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
  lanesOf.clear();
  if (graph && isNew)
    getDriver()->graphs.remove(graph.get());
  graph = nullptr;
}

void Capture::forget() {
  std::lock_guard<std::mutex> lock(capturesMutex);
  captures.erase(
      std::remove(captures.begin(), captures.end(), shared_from_this()),
      captures.end());
}

/// True when the origin comes after all work of all lanes.
bool Capture::isJoined() const {
  std::vector<const GraphNode *> waiting(lanes.front().after.begin(),
                                         lanes.front().after.end());
  std::unordered_set<const GraphNode *> isBefore(waiting.begin(),
                                                 waiting.end());
  while (!waiting.empty()) {
    const GraphNode *node = waiting.back();
    waiting.pop_back();
    for (const GraphNode *before : node->after)
      if (isBefore.insert(before).second)
        waiting.push_back(before);
  }
  return std::all_of(lanesOf.begin(), lanesOf.end(), [&](const auto &captured) {
    return isBefore.count(captured.first) != 0;
  });
}

cuda::Result Capture::finish(const Stream &origin,
                             std::shared_ptr<Graph> &result) {
  std::lock_guard<std::mutex> lock(mutex);
  if (lanes.front().stream.get() != &origin)
    return cuda::kStreamCaptureUnmatched;
  if (mode != CaptureMode::Relaxed && thread != std::this_thread::get_id())
    return cuda::kStreamCaptureWrongThread;
  bool joined = isJoined();
  std::shared_ptr<Graph> made = graph;
  release();
  if (!valid)
    return cuda::kStreamCaptureInvalidated;
  if (!joined)
    return cuda::kStreamCaptureUnjoined;
  result = std::move(made);
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
