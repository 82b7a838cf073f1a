//===- NodeCalls.cpp - Graphs made node by node ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Graphs/GraphMemory.h"
#include "Emulator/Driver/Graphs/GraphNodes.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/Event.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

HETERO_CUDA_API cuGraphCreate(cuda::Graph *result, unsigned flags) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!result || flags != 0)
    return cuda::kInvalidValue;
  auto graph = std::make_shared<Graph>();
  Context *context;
  if (!getCurrent(context)) // A graph needs none before it has nodes.
    graph->home = context;
  *result =
      reinterpret_cast<cuda::Graph>(getDriver()->graphs.add(std::move(graph)));
  return cuda::kSuccess;
}

namespace {
/// What the calls that add a node have in common.
struct Addition {
  GraphNode **result;
  std::shared_ptr<Graph> graph;
  std::vector<GraphNode *> after;
  Context *context;
};
} // namespace

/// Nodes of the graph, each of them once.
static cuda::Result readNodes(const Graph &graph, GraphNode *const *handles,
                              size_t count, std::vector<GraphNode *> &nodes) {
  if (count > 0 && !handles)
    return cuda::kInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    std::shared_ptr<GraphNode> node;
    if (cuda::Result error = findNode(handles[i], node))
      return error;
    if (node->graph != &graph ||
        std::find(nodes.begin(), nodes.end(), node.get()) != nodes.end())
      return cuda::kInvalidValue;
    nodes.push_back(node.get());
  }
  return cuda::kSuccess;
}

static cuda::Result begin(Addition &addition, const void *graph,
                          GraphNode *const *after, size_t count,
                          cuda::Context context = nullptr) {
  if (cuda::Result error = findGraph(graph, addition.graph))
    return error;
  if (!addition.result)
    return cuda::kInvalidValue;
  if (cuda::Result error = contextOf(context, addition.context))
    return error;
  return readNodes(*addition.graph, after, count, addition.after);
}

static cuda::Result end(Addition &addition, cuda::Result error,
                        NodeWork &work) {
  if (error == cuda::kSuccess)
    *addition.result =
        &addition.graph->add(std::move(work), std::move(addition.after));
  return error;
}

/// Adds what `make` makes in the context of the addition.
template <typename Make>
static cuda::Result add(GraphNode **result, const void *graph,
                        GraphNode *const *after, size_t count,
                        cuda::Context context, Make make) {
  Addition addition = {result, nullptr, {}, nullptr};
  if (cuda::Result error = begin(addition, graph, after, count, context))
    return error;
  NodeWork work;
  return end(addition, make(*addition.context, work), work);
}

HETERO_CUDA_API cuGraphAddKernelNode_v2(GraphNode **result, cuda::Graph graph,
                                        GraphNode *const *after, size_t count,
                                        const KernelNodeParams *params) {
  return add(result, graph, after, count, nullptr,
             [&](Context &, NodeWork &work) {
               return makeKernel(params, LaunchCall(), work);
             });
}

HETERO_CUDA_API cuGraphAddKernelNode(GraphNode **result, cuda::Graph graph,
                                     GraphNode *const *after, size_t count,
                                     const KernelNodeParams *params) {
  if (params && !params->function)
    return cuda::kInvalidValue; // The first version has no more.
  return cuGraphAddKernelNode_v2(result, graph, after, count, params);
}

HETERO_CUDA_API cuGraphAddMemcpyNode(GraphNode **result, cuda::Graph graph,
                                     GraphNode *const *after, size_t count,
                                     const Copy3D *box, cuda::Context context) {
  return add(result, graph, after, count, context,
             [&](Context &context, NodeWork &work) {
               return makeCopy(box, context, work);
             });
}

HETERO_CUDA_API cuGraphAddMemsetNode(GraphNode **result, cuda::Graph graph,
                                     GraphNode *const *after, size_t count,
                                     const FillBox *box,
                                     cuda::Context context) {
  return add(result, graph, after, count, context,
             [&](Context &context, NodeWork &work) {
               return makeFill(box, context, work);
             });
}

HETERO_CUDA_API cuGraphAddHostNode(GraphNode **result, cuda::Graph graph,
                                   GraphNode *const *after, size_t count,
                                   const HostCall *call) {
  return add(result, graph, after, count, nullptr,
             [&](Context &context, NodeWork &work) {
               return makeHost(call, context, work);
             });
}

HETERO_CUDA_API cuGraphAddEmptyNode(GraphNode **result, cuda::Graph graph,
                                    GraphNode *const *after, size_t count) {
  return add(result, graph, after, count, nullptr,
             [&](Context &context, NodeWork &work) {
               work = {NodeKind::Empty, &context, nullptr, {}};
               return cuda::kSuccess;
             });
}

HETERO_CUDA_API cuGraphAddChildGraphNode(GraphNode **result, cuda::Graph graph,
                                         GraphNode *const *after, size_t count,
                                         cuda::Graph child) {
  return add(result, graph, after, count, nullptr,
             [&](Context &context, NodeWork &work) {
               return makeChild(child, context, work);
             });
}

static cuda::Result addEvent(GraphNode **result, cuda::Graph graph,
                             GraphNode *const *after, size_t count,
                             cuda::Event event, NodeKind kind) {
  return add(
      result, graph, after, count, nullptr,
      [&](Context &, NodeWork &work) { return makeEvent(event, kind, work); });
}

HETERO_CUDA_API cuGraphAddEventRecordNode(GraphNode **result, cuda::Graph graph,
                                          GraphNode *const *after, size_t count,
                                          cuda::Event event) {
  return addEvent(result, graph, after, count, event, NodeKind::Record);
}

HETERO_CUDA_API cuGraphAddEventWaitNode(GraphNode **result, cuda::Graph graph,
                                        GraphNode *const *after, size_t count,
                                        cuda::Event event) {
  return addEvent(result, graph, after, count, event, NodeKind::Wait);
}

HETERO_CUDA_API cuGraphAddBatchMemOpNode(GraphNode **result, cuda::Graph graph,
                                         GraphNode *const *after, size_t count,
                                         const WordOperations *words) {
  return add(result, graph, after, count, words ? words->context : nullptr,
             [&](Context &context, NodeWork &work) {
               return makeWords(words, context, work);
             });
}

HETERO_CUDA_API cuGraphAddMemAllocNode(GraphNode **result, cuda::Graph graph,
                                       GraphNode *const *after, size_t count,
                                       AllocationParams *params) {
  return add(result, graph, after, count, nullptr,
             [&](Context &context, NodeWork &work) {
               return makeAllocation(params, context, work);
             });
}

HETERO_CUDA_API cuGraphAddMemFreeNode(GraphNode **result, cuda::Graph graph,
                                      GraphNode *const *after, size_t count,
                                      cuda::DevicePointer address) {
  return add(result, graph, after, count, nullptr,
             [&](Context &context, NodeWork &work) -> cuda::Result {
               std::shared_ptr<Graph> object;
               if (cuda::Result error = findGraph(graph, object))
                 return error;
               return makeFree(address, *object, context, work);
             });
}

HETERO_CUDA_API cuGraphAddNode(GraphNode **result, cuda::Graph graph,
                               GraphNode *const *after, size_t count,
                               GraphNodeParams *params) {
  if (params && NodeKind(params->kind) == NodeKind::Allocation)
    return cuGraphAddMemAllocNode(result, graph, after, count,
                                  &params->allocation);
  if (params && NodeKind(params->kind) == NodeKind::Free)
    return cuGraphAddMemFreeNode(result, graph, after, count, params->freed);
  return add(result, graph, after, count, nullptr,
             [&](Context &, NodeWork &work) { return makeWork(params, work); });
}

HETERO_CUDA_API cuGraphAddNode_v2(GraphNode **result, cuda::Graph graph,
                                  GraphNode *const *after,
                                  const EdgeData *edges, size_t count,
                                  GraphNodeParams *params) {
  if (!arePlain(edges, count))
    return refuse("an edge of a graph with ports");
  return cuGraphAddNode(result, graph, after, count, params);
}

HETERO_CUDA_API cuGraphDestroyNode(GraphNode *handle) {
  std::shared_ptr<GraphNode> node;
  if (cuda::Result error = findNode(handle, node))
    return error;
  if (node->graph->usesMemory())
    return refuse("a graph that allocates without one of its nodes");
  node->graph->remove(*node);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphClone(cuda::Graph *result, cuda::Graph handle) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = findGraph(handle, graph))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  if (graph->usesMemory())
    return refuse("a copy of a graph that allocates");
  *result =
      reinterpret_cast<cuda::Graph>(getDriver()->graphs.add(graph->clone()));
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphNodeFindInClone(GraphNode **result, GraphNode *original,
                                       cuda::Graph clone) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = findGraph(clone, graph))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  for (const std::shared_ptr<GraphNode> &node : graph->nodes)
    if (node->original == original) {
      *result = node.get();
      return cuda::kSuccess;
    }
  return cuda::kInvalidValue;
}
