//===- GraphCalls.cpp - Captures and graphs -------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Graphs/GraphMemory.h"
#include "Emulator/Driver/Graphs/GraphNodes.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/State/Registry.h"
#include "Emulator/Driver/Streams/PerThread.h"
#include "Emulator/Driver/Streams/Stream.h"

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

HETERO_CUDA_API cuStreamBeginCaptureToGraph(cuda::Stream handle,
                                            cuda::Graph graphHandle,
                                            GraphNode *const *nodes,
                                            const void *edges, size_t count,
                                            int mode) {
  if (isDefaultStream(handle))
    return getDriver() ? cuda::kStreamCaptureUnsupported
                       : cuda::kNotInitialized;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  std::shared_ptr<Graph> graph = getDriver()->graphs.find(graphHandle);
  if (!graph || !isMode(mode) || (count > 0 && !nodes))
    return cuda::kInvalidValue;
  if (edges)
    return refuse("an edge with ports");
  for (size_t i = 0; i < count; ++i)
    if (!getDriver()->graphNodes.find(nodes[i]) ||
        nodes[i]->graph != graph.get())
      return cuda::kInvalidValue;
  return Capture::begin(stream, CaptureMode(mode), std::move(graph),
                        {nodes, nodes + count});
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

/// CUgraphInstantiate_flags.
enum : unsigned long long {
  kAutoFree = 1,
  kUpload = 2,
  kDeviceLaunch = 4,
  kNodePriority = 8,
  kAllFlags = 15
};

HETERO_CUDA_API cuGraphInstantiateWithFlags(cuda::GraphExec *result,
                                            cuda::Graph handle,
                                            unsigned long long flags) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = findRegistered(&Driver::graphs, handle, graph))
    return error;
  if (!result || flags > kAllFlags ||
      graph->sorted().size() != graph->nodes.size())
    return cuda::kInvalidValue;
  if (flags & kDeviceLaunch)
    return refuse("a graph that kernels launch");
  auto exec = std::make_shared<ExecGraph>(*graph);
  exec->flags = flags;
  for (const std::shared_ptr<GraphMemory> &memory : exec->memory())
    if (memory->user.lock())
      return refuse("a second launchable graph of one that allocates");
  for (const std::shared_ptr<GraphMemory> &memory : exec->memory())
    memory->user = exec;
  *result = reinterpret_cast<cuda::GraphExec>(
      getDriver()->execGraphs.add(std::move(exec)));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphInstantiate_v2(cuda::GraphExec *result,
                                      cuda::Graph handle, cuda::GraphNode *node,
                                      char *log, size_t logBytes) {
  if (node)
    *node = nullptr;
  if (log && logBytes > 0)
    *log = 0;
  return cuGraphInstantiateWithFlags(result, handle, 0);
}

HETERO_CUDA_API cuGraphInstantiate(cuda::GraphExec *result, cuda::Graph handle,
                                   cuda::GraphNode *node, char *log,
                                   size_t logBytes) {
  return cuGraphInstantiate_v2(result, handle, node, log, logBytes);
}

/// CUDA_GRAPH_INSTANTIATE_PARAMS.
struct InstantiateParams {
  unsigned long long flags;
  cuda::Stream upload;
  cuda::GraphNode errorNode;
  int result; ///< 0: done; 1: another error.
};

HETERO_CUDA_API cuGraphInstantiateWithParams(cuda::GraphExec *result,
                                             cuda::Graph handle,
                                             InstantiateParams *params) {
  if (!params)
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  cuda::Result error =
      cuGraphInstantiateWithFlags(result, handle, params->flags);
  params->errorNode = nullptr;
  params->result = error ? 1 : 0;
  return error;
}

HETERO_CUDA_API cuGraphExecGetFlags(cuda::GraphExec handle,
                                    unsigned long long *flags) {
  std::shared_ptr<ExecGraph> graph;
  if (cuda::Result error = findExec(handle, graph))
    return error;
  if (!flags)
    return cuda::kInvalidValue;
  *flags = graph->flags;
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphExecDestroy(cuda::GraphExec handle) {
  return destroy(&Driver::execGraphs, handle);
}

HETERO_CUDA_API cuGraphUpload(cuda::GraphExec handle, cuda::Stream) {
  std::shared_ptr<ExecGraph> graph;
  return findExec(handle, graph);
}

HETERO_CUDA_API cuGraphLaunch(cuda::GraphExec handle,
                              cuda::Stream streamHandle) {
  std::shared_ptr<ExecGraph> graph;
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = findExec(handle, graph))
    return error;
  if (cuda::Result error = getStream(streamHandle, stream))
    return error;
  // A captured launch is a node that is the graph.
  if (std::shared_ptr<CaptureLane> lane = getLane(*stream)) {
    std::shared_ptr<Graph> child = graph->asGraph();
    if (child->usesMemory())
      return refuse("a graph that allocates as part of another one");
    return lane->capture->add(lane->index, NodeKind::Child, nullptr,
                              std::move(child));
  }
  if (cuda::Result error =
          prepareMemory(*graph, stream, graph->flags & kAutoFree))
    return error;
  graph->launch(stream);
  return cuda::kSuccess;
}

/// CUgraphExecUpdateResultInfo.
struct UpdateInfo {
  ExecGraph::Update result;
  const GraphNode *errorNode;
  cuda::GraphNode errorFromNode;
};

HETERO_CUDA_API cuGraphExecUpdate_v2(cuda::GraphExec handle,
                                     cuda::Graph graphHandle,
                                     UpdateInfo *info) {
  std::shared_ptr<ExecGraph> exec;
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = findExec(handle, exec))
    return error;
  if (cuda::Result error = findRegistered(&Driver::graphs, graphHandle, graph))
    return error;
  if (!info)
    return cuda::kInvalidValue;
  *info = {};
  info->result = exec->update(*graph, info->errorNode);
  return info->result == ExecGraph::Update::Done
             ? cuda::kSuccess
             : cuda::kGraphExecUpdateFailure;
}

HETERO_CUDA_API cuGraphExecUpdate(cuda::GraphExec handle,
                                  cuda::Graph graphHandle,
                                  const GraphNode **errorNode,
                                  ExecGraph::Update *result) {
  UpdateInfo info = {};
  cuda::Result error = cuGraphExecUpdate_v2(handle, graphHandle, &info);
  if (errorNode)
    *errorNode = info.errorNode;
  if (result)
    *result = info.result;
  return error;
}
