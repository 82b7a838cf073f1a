//===- StreamState.cpp - Attributes and captures of streams ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/LaunchAttributes.h"
#include "Emulator/Driver/Streams/Stream.h"
#include "Emulator/Driver/Types.h"

#include <algorithm>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Attributes: those of launches, as far as streams have them
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuStreamSetAttribute(cuda::Stream handle,
                                     LaunchAttribute::Id id,
                                     const void *value) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!value || id == LaunchAttribute::Ignore)
    return cuda::kInvalidValue;
  LaunchAttribute attribute = {};
  attribute.id = id;
  std::memcpy(attribute.bytes, value, sizeof attribute.bytes);
  if (cuda::Result error = checkAttribute(attribute, AttributeUser::Stream,
                                          stream->context.device))
    return error;
  if (id == LaunchAttribute::Priority) {
    stream->priority =
        std::clamp(attribute.number, kGreatestPriority, kLeastPriority);
    return cuda::kSuccess;
  }
  std::lock_guard<std::mutex> lock(stream->attributesMutex);
  stream->attributes.set(id, value);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamGetAttribute(cuda::Stream handle,
                                     LaunchAttribute::Id id, void *value) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  LaunchAttribute attribute = defaultOf(id);
  if (!value || id == LaunchAttribute::Ignore)
    return cuda::kInvalidValue;
  if (cuda::Result error = checkUser(id, AttributeUser::Stream))
    return error;
  attribute.number = id == LaunchAttribute::Priority ? stream->priority.load()
                                                     : attribute.number;
  std::lock_guard<std::mutex> lock(stream->attributesMutex);
  const void *found = stream->attributes.find(id);
  std::memcpy(value, found ? found : attribute.bytes, sizeof attribute.bytes);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamCopyAttributes(cuda::Stream to, cuda::Stream from) {
  std::shared_ptr<Stream> target, source;
  if (cuda::Result error = getStream(to, target))
    return error;
  if (cuda::Result error = getStream(from, source))
    return error;
  if (target == source)
    return cuda::kSuccess;
  std::scoped_lock lock(target->attributesMutex, source->attributesMutex);
  target->attributes = source->attributes;
  target->priority = source->priority.load();
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

/// Whether the stream is captured, by which capture, into which graph, and what
/// the stream's next work comes after.
static cuda::Result getCapture(cuda::Stream handle, int *status, uint64_t *id,
                               cuda::Graph *graph,
                               const cuda::GraphNode **nodes, size_t *count) {
  enum : int { kNone = 0, kActive = 1, kInvalidated = 2 };
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!status)
    return cuda::kInvalidValue;
  std::shared_ptr<CaptureLane> lane = getLane(*stream);
  *status = !lane ? kNone : lane->capture->isValid() ? kActive : kInvalidated;
  if (*status != kActive)
    return cuda::kSuccess;
  if (id)
    *id = lane->capture->id;
  if (!graph && !nodes && !count)
    return cuda::kSuccess;
  GraphNode *const *after;
  size_t numAfter;
  Graph *captured = lane->capture->show(lane->index, after, numAfter);
  if (graph)
    *graph = reinterpret_cast<cuda::Graph>(captured);
  if (nodes)
    *nodes = reinterpret_cast<const cuda::GraphNode *>(after);
  if (count)
    *count = numAfter;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuStreamGetCaptureInfo(cuda::Stream stream, int *status,
                                       uint64_t *id) {
  return getCapture(stream, status, id, nullptr, nullptr, nullptr);
}

HETERO_CUDA_API cuStreamGetCaptureInfo_v2(cuda::Stream stream, int *status,
                                          uint64_t *id, cuda::Graph *graph,
                                          const cuda::GraphNode **nodes,
                                          size_t *count) {
  return getCapture(stream, status, id, graph, nodes, count);
}

/// Edges say nothing but that they are there.
HETERO_CUDA_API cuStreamGetCaptureInfo_v3(cuda::Stream stream, int *status,
                                          uint64_t *id, cuda::Graph *graph,
                                          const cuda::GraphNode **nodes,
                                          const void **edges, size_t *count) {
  if (edges)
    *edges = nullptr;
  return getCapture(stream, status, id, graph, nodes, count);
}

HETERO_CUDA_API cuStreamUpdateCaptureDependencies_v2(cuda::Stream handle,
                                                     GraphNode **nodes,
                                                     const EdgeData *edges,
                                                     size_t count,
                                                     unsigned flags) {
  constexpr unsigned kSet = 1;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  std::shared_ptr<CaptureLane> lane = getLane(*stream);
  if (!lane)
    return cuda::kIllegalState;
  if (flags > kSet || (count > 0 && !nodes))
    return cuda::kInvalidValue;
  for (size_t i = 0; edges && i < count; ++i)
    if (edges[i].fromPort || edges[i].toPort || edges[i].type)
      return refuse("an edge with ports");
  return lane->capture->setAfter(lane->index,
                                 std::vector<GraphNode *>(nodes, nodes + count),
                                 flags == kSet);
}

HETERO_CUDA_API cuStreamUpdateCaptureDependencies(cuda::Stream stream,
                                                  GraphNode **nodes,
                                                  size_t count,
                                                  unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, nodes, nullptr, count,
                                              flags);
}
