//===- DriverGraph.cpp - Captures and graphs ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Graph.h"

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

static bool isMode(int mode) {
  return mode >= int(CaptureMode::Global) && mode <= int(CaptureMode::Relaxed);
}

HETERO_CUDA_API cuStreamBeginCapture_v2(cuda::Stream handle, int mode) {
  if (isDefaultStream(handle))
    return getDriver() ? cuda::kStreamCaptureUnsupported
                       : cuda::kNotInitialized;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  return isMode(mode) ? Capture::begin(stream, CaptureMode(mode))
                      : cuda::kInvalidValue;
}

HETERO_CUDA_API cuStreamEndCapture(cuda::Stream handle, cuda::Graph *result) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = nullptr;
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = Capture::end(stream, graph))
    return error;
  *result =
      reinterpret_cast<cuda::Graph>(getDriver()->graphs.add(std::move(graph)));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuThreadExchangeStreamCaptureMode(int *mode) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!mode || !isMode(*mode))
    return cuda::kInvalidValue;
  *mode = int(Capture::exchangeThreadMode(CaptureMode(*mode)));
  return cuda::kSuccess;
}

/// CUstreamCaptureStatus.
enum : int { kNoCapture = 0, kActiveCapture = 1, kInvalidatedCapture = 2 };

HETERO_CUDA_API cuStreamIsCapturing(cuda::Stream handle, int *status) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!status)
    return cuda::kInvalidValue;
  std::shared_ptr<CaptureLane> lane = getLane(*stream);
  *status = !lane                      ? kNoCapture
            : lane->capture->isValid() ? kActiveCapture
                                       : kInvalidatedCapture;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// The object of a handle; kInvalidValue where the API has that for graphs.
template <typename Object>
static cuda::Result find(Registry<Object> Driver::*registry, const void *handle,
                         std::shared_ptr<Object> &object) {
  if (!getDriver())
    return cuda::kNotInitialized;
  object = (getDriver()->*registry).find(handle);
  return object ? cuda::kSuccess : cuda::kInvalidValue;
}

template <typename Object>
static cuda::Result destroy(Registry<Object> Driver::*registry,
                            const void *handle) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return (getDriver()->*registry).remove(handle) ? cuda::kSuccess
                                                 : cuda::kInvalidValue;
}

HETERO_CUDA_API cuGraphDestroy(cuda::Graph handle) {
  return destroy(&Driver::graphs, handle);
}

HETERO_CUDA_API cuGraphGetNodes(cuda::Graph handle, cuda::GraphNode *nodes,
                                size_t *count) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = find(&Driver::graphs, handle, graph))
    return error;
  if (!count)
    return cuda::kInvalidValue;
  for (size_t i = 0; nodes && i < *count; ++i)
    nodes[i] = i < graph->nodes.size()
                   ? reinterpret_cast<cuda::GraphNode>(&graph->nodes[i])
                   : nullptr;
  if (!nodes || *count > graph->nodes.size())
    *count = graph->nodes.size();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphInstantiateWithFlags(cuda::GraphExec *result,
                                            cuda::Graph handle,
                                            unsigned long long) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = find(&Driver::graphs, handle, graph))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = reinterpret_cast<cuda::GraphExec>(
      getDriver()->execGraphs.add(std::make_shared<ExecGraph>(*graph)));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphInstantiate_v2(cuda::GraphExec *result,
                                      cuda::Graph handle, cuda::GraphNode *,
                                      char *, size_t) {
  return cuGraphInstantiateWithFlags(result, handle, 0);
}

HETERO_CUDA_API cuGraphExecDestroy(cuda::GraphExec handle) {
  return destroy(&Driver::execGraphs, handle);
}

HETERO_CUDA_API cuGraphUpload(cuda::GraphExec handle, cuda::Stream) {
  std::shared_ptr<ExecGraph> graph;
  return find(&Driver::execGraphs, handle, graph);
}

HETERO_CUDA_API cuGraphLaunch(cuda::GraphExec handle,
                              cuda::Stream streamHandle) {
  std::shared_ptr<ExecGraph> graph;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = find(&Driver::execGraphs, handle, graph))
    return error;
  if (cuda::Result error = getStream(streamHandle, stream))
    return error;
  if (getLane(*stream))
    return refuse("cuGraphLaunch on a stream that is captured");
  graph->launch(stream);
  return cuda::kSuccess;
}

/// CUgraphExecUpdateResultInfo.
struct UpdateInfo {
  int result; ///< 0: done; 1: another error, here another shape.
  cuda::GraphNode errorNode, errorFromNode;
};

HETERO_CUDA_API cuGraphExecUpdate_v2(cuda::GraphExec handle,
                                     cuda::Graph graphHandle,
                                     UpdateInfo *info) {
  std::shared_ptr<ExecGraph> exec;
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = find(&Driver::execGraphs, handle, exec))
    return error;
  if (cuda::Result error = find(&Driver::graphs, graphHandle, graph))
    return error;
  if (!info)
    return cuda::kInvalidValue;
  bool isDone = exec->update(*graph);
  *info = {isDone ? 0 : 1, nullptr, nullptr};
  return isDone ? cuda::kSuccess : cuda::kGraphExecUpdateFailure;
}
