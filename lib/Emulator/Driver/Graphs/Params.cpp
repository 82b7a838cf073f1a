//===- Params.cpp - Parameters of the nodes of graphs ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Graphs/GraphNodes.h"
#include "Emulator/Driver/Launch.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/Event.h"
#include "Emulator/Driver/Streams/Stream.h"

#include <algorithm>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

/// The node of a handle, which is of a kind.
static cuda::Result findOf(NodeKind kind, const void *handle,
                           std::shared_ptr<GraphNode> &node) {
  if (cuda::Result error = findNode(handle, node))
    return error;
  return node->kind == kind ? cuda::kSuccess : cuda::kInvalidValue;
}

/// Copies out what a node of a kind was made of.
template <typename Params>
static cuda::Result get(NodeKind kind, const void *handle, Params *result) {
  std::shared_ptr<GraphNode> node;
  if (cuda::Result error = findOf(kind, handle, node))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = std::get<Params>(node->params);
  return cuda::kSuccess;
}

/// Gives a node of a kind other work, which `make` makes in its context; in a
/// graph that can be launched, if there is one.
template <typename Make>
static cuda::Result set(NodeKind kind, const void *handle,
                        std::optional<const void *> execHandle, Make make) {
  std::shared_ptr<GraphNode> node;
  std::shared_ptr<ExecGraph> exec;
  if (execHandle)
    if (cuda::Result error = findExec(*execHandle, exec))
      return error;
  if (cuda::Result error = findOf(kind, handle, node))
    return error;
  NodeWork work;
  if (cuda::Result error = make(*node, work))
    return error;
  if (exec)
    return exec->setWork(node.get(), std::move(work)) ? cuda::kSuccess
                                                      : cuda::kInvalidValue;
  static_cast<NodeWork &>(*node) = std::move(work);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphNodeGetType(GraphNode *handle, NodeKind *kind) {
  std::shared_ptr<GraphNode> node;
  if (cuda::Result error = findNode(handle, node))
    return error;
  if (!kind)
    return cuda::kInvalidValue;
  *kind = node->kind;
  return cuda::kSuccess;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static const KernelNode &kernelOf(const GraphNode &node) {
  return *std::get<std::shared_ptr<const KernelNode>>(node.params);
}

/// Where the arguments of a launch lie.
static std::vector<void *> argumentsOf(const KernelNode &node) {
  std::vector<void *> arguments;
  auto *block = const_cast<uint8_t *>(node.prepared.params.front().bytes);
  for (const auto &param : node.prepared.kernel->params)
    arguments.push_back(block + param.offset);
  return arguments;
}

HETERO_CUDA_API cuGraphKernelNodeGetParams_v2(GraphNode *handle,
                                              KernelNodeParams *result) {
  std::shared_ptr<GraphNode> node;
  if (cuda::Result error = findOf(NodeKind::Kernel, handle, node))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  const KernelNode &kernel = kernelOf(*node);
  kernel.arguments = argumentsOf(kernel);
  *result = {};
  result->function = reinterpret_cast<cuda::Function>(kernel.function.function);
  std::copy(kernel.call.grid, kernel.call.grid + 3, result->grid);
  std::copy(kernel.call.block, kernel.call.block + 3, result->block);
  result->sharedBytes = kernel.call.sharedBytes;
  result->params = kernel.arguments.data();
  result->context = reinterpret_cast<cuda::Context>(node->context);
  return cuda::kSuccess;
}

/// The first version ends before the kernel of a library.
HETERO_CUDA_API cuGraphKernelNodeGetParams(GraphNode *node, void *result) {
  KernelNodeParams params;
  if (cuda::Result error = cuGraphKernelNodeGetParams_v2(node, &params))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  std::memcpy(result, &params, offsetof(KernelNodeParams, kernel));
  return cuda::kSuccess;
}

static cuda::Result setKernel(GraphNode *node, std::optional<const void *> exec,
                              const KernelNodeParams *params) {
  return set(NodeKind::Kernel, node, exec,
             [&](const GraphNode &node, NodeWork &work) {
               return makeKernel(params, kernelOf(node).call, work);
             });
}

HETERO_CUDA_API cuGraphKernelNodeSetParams_v2(GraphNode *node,
                                              const KernelNodeParams *params) {
  return setKernel(node, std::nullopt, params);
}

HETERO_CUDA_API cuGraphKernelNodeSetParams(GraphNode *node,
                                           const KernelNodeParams *params) {
  return params && !params->function ? cuda::kInvalidValue
                                     : setKernel(node, std::nullopt, params);
}

HETERO_CUDA_API
cuGraphExecKernelNodeSetParams_v2(cuda::GraphExec exec, GraphNode *node,
                                  const KernelNodeParams *params) {
  return setKernel(node, exec, params);
}

HETERO_CUDA_API
cuGraphExecKernelNodeSetParams(cuda::GraphExec exec, GraphNode *node,
                               const KernelNodeParams *params) {
  return params && !params->function ? cuda::kInvalidValue
                                     : setKernel(node, exec, params);
}

/// The same launch, called in another way.
static cuda::Result recall(const KernelNode &old, const LaunchCall &call,
                           NodeWork &work) {
  auto node = std::make_shared<KernelNode>(old);
  node->call = call;
  node->prepared = {};
  std::vector<void *> arguments = argumentsOf(old);
  if (cuda::Result error = prepareLaunch(node->function, call, arguments.data(),
                                         nullptr, node->prepared))
    return error;
  work = {NodeKind::Kernel, &node->function.module->context,
          issueOf(node->function, node->prepared), node};
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphKernelNodeSetAttribute(GraphNode *handle,
                                              LaunchAttribute::Id id,
                                              const void *value) {
  if (!value)
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  return set(NodeKind::Kernel, handle, std::nullopt,
             [&](const GraphNode &node, NodeWork &work) -> cuda::Result {
               LaunchAttribute attribute = {};
               attribute.id = id;
               std::memcpy(attribute.bytes, value, sizeof attribute.bytes);
               LaunchCall call = kernelOf(node).call;
               if (cuda::Result error =
                       applyAttributes(&attribute, 1, AttributeUser::GraphNode,
                                       node.context->device, call))
                 return error;
               return recall(kernelOf(node), call, work);
             });
}

HETERO_CUDA_API cuGraphKernelNodeGetAttribute(GraphNode *handle,
                                              LaunchAttribute::Id id,
                                              void *value) {
  std::shared_ptr<GraphNode> node;
  if (cuda::Result error = findOf(NodeKind::Kernel, handle, node))
    return error;
  if (!value)
    return cuda::kInvalidValue;
  LaunchAttribute attribute = defaultOf(id);
  if (cuda::Result error = checkUser(id, AttributeUser::GraphNode))
    return error;
  const LaunchCall &call = kernelOf(*node).call;
  attribute.number = id == LaunchAttribute::Cooperative ? call.isCooperative
                                                        : attribute.number;
  const void *found = call.attributes.find(id);
  std::memcpy(value, found ? found : attribute.bytes, sizeof attribute.bytes);
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphKernelNodeCopyAttributes(GraphNode *to,
                                                GraphNode *from) {
  std::shared_ptr<GraphNode> source;
  if (cuda::Result error = findOf(NodeKind::Kernel, from, source))
    return error;
  return set(NodeKind::Kernel, to, std::nullopt,
             [&](const GraphNode &node, NodeWork &work) {
               LaunchCall call = kernelOf(node).call;
               call.isCooperative = kernelOf(*source).call.isCooperative;
               call.attributes = kernelOf(*source).call.attributes;
               return recall(kernelOf(node), call, work);
             });
}

//===----------------------------------------------------------------------===//
// Copies, fills, functions of the host
//===----------------------------------------------------------------------===//

HETERO_CUDA_API cuGraphMemcpyNodeGetParams(GraphNode *node, Copy3D *result) {
  return get(NodeKind::Copy, node, result);
}

static cuda::Result setCopy(GraphNode *node, std::optional<const void *> exec,
                            const Copy3D *box) {
  return set(NodeKind::Copy, node, exec,
             [&](const GraphNode &node, NodeWork &work) {
               return makeCopy(box, *node.context, work);
             });
}

HETERO_CUDA_API cuGraphMemcpyNodeSetParams(GraphNode *node, const Copy3D *box) {
  return setCopy(node, std::nullopt, box);
}

HETERO_CUDA_API cuGraphExecMemcpyNodeSetParams(cuda::GraphExec exec,
                                               GraphNode *node,
                                               const Copy3D *box,
                                               cuda::Context) {
  return setCopy(node, exec, box);
}

HETERO_CUDA_API cuGraphMemsetNodeGetParams(GraphNode *node, FillBox *result) {
  return get(NodeKind::Fill, node, result);
}

static cuda::Result setFill(GraphNode *node, std::optional<const void *> exec,
                            const FillBox *box) {
  return set(NodeKind::Fill, node, exec,
             [&](const GraphNode &node, NodeWork &work) {
               return makeFill(box, *node.context, work);
             });
}

HETERO_CUDA_API cuGraphMemsetNodeSetParams(GraphNode *node,
                                           const FillBox *box) {
  return setFill(node, std::nullopt, box);
}

HETERO_CUDA_API cuGraphExecMemsetNodeSetParams(cuda::GraphExec exec,
                                               GraphNode *node,
                                               const FillBox *box,
                                               cuda::Context) {
  return setFill(node, exec, box);
}

HETERO_CUDA_API cuGraphHostNodeGetParams(GraphNode *node, HostCall *result) {
  return get(NodeKind::Host, node, result);
}

static cuda::Result setHost(GraphNode *node, std::optional<const void *> exec,
                            const HostCall *call) {
  return set(NodeKind::Host, node, exec,
             [&](const GraphNode &node, NodeWork &work) {
               return makeHost(call, *node.context, work);
             });
}

HETERO_CUDA_API cuGraphHostNodeSetParams(GraphNode *node,
                                         const HostCall *call) {
  return setHost(node, std::nullopt, call);
}

HETERO_CUDA_API cuGraphExecHostNodeSetParams(cuda::GraphExec exec,
                                             GraphNode *node,
                                             const HostCall *call) {
  return setHost(node, exec, call);
}

//===----------------------------------------------------------------------===//
// Events and graphs in graphs
//===----------------------------------------------------------------------===//

static cuda::Result getEventOf(NodeKind kind, GraphNode *node,
                               cuda::Event *result) {
  std::shared_ptr<Event> event;
  if (cuda::Result error = get(kind, node, &event))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = reinterpret_cast<cuda::Event>(event.get());
  return cuda::kSuccess;
}

static cuda::Result setEventOf(NodeKind kind, GraphNode *node,
                               std::optional<const void *> exec,
                               cuda::Event event) {
  return set(kind, node, exec, [&](const GraphNode &, NodeWork &work) {
    return makeEvent(event, kind, work);
  });
}

HETERO_CUDA_API cuGraphEventRecordNodeGetEvent(GraphNode *node,
                                               cuda::Event *event) {
  return getEventOf(NodeKind::Record, node, event);
}
HETERO_CUDA_API cuGraphEventRecordNodeSetEvent(GraphNode *node,
                                               cuda::Event event) {
  return setEventOf(NodeKind::Record, node, std::nullopt, event);
}
HETERO_CUDA_API cuGraphExecEventRecordNodeSetEvent(cuda::GraphExec exec,
                                                   GraphNode *node,
                                                   cuda::Event event) {
  return setEventOf(NodeKind::Record, node, exec, event);
}
HETERO_CUDA_API cuGraphEventWaitNodeGetEvent(GraphNode *node,
                                             cuda::Event *event) {
  return getEventOf(NodeKind::Wait, node, event);
}
HETERO_CUDA_API cuGraphEventWaitNodeSetEvent(GraphNode *node,
                                             cuda::Event event) {
  return setEventOf(NodeKind::Wait, node, std::nullopt, event);
}
HETERO_CUDA_API cuGraphExecEventWaitNodeSetEvent(cuda::GraphExec exec,
                                                 GraphNode *node,
                                                 cuda::Event event) {
  return setEventOf(NodeKind::Wait, node, exec, event);
}

HETERO_CUDA_API cuGraphChildGraphNodeGetGraph(GraphNode *node, Graph **result) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = get(NodeKind::Child, node, &graph))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = graph.get();
  return cuda::kSuccess;
}

HETERO_CUDA_API cuGraphExecChildGraphNodeSetParams(cuda::GraphExec execHandle,
                                                   GraphNode *handle,
                                                   cuda::Graph childHandle) {
  std::shared_ptr<ExecGraph> exec;
  std::shared_ptr<GraphNode> node;
  std::shared_ptr<Graph> child;
  if (cuda::Result error = findExec(execHandle, exec))
    return error;
  if (cuda::Result error = findOf(NodeKind::Child, handle, node))
    return error;
  if (cuda::Result error = findGraph(childHandle, child))
    return error;
  return exec->setChild(node.get(), *child) ? cuda::kSuccess
                                            : cuda::kInvalidValue;
}

//===----------------------------------------------------------------------===//
// Operations on words
//===----------------------------------------------------------------------===//

/// The operations stay where they are until the node gets others.
HETERO_CUDA_API cuGraphBatchMemOpNodeGetParams(GraphNode *node,
                                               WordOperations *result) {
  std::shared_ptr<std::vector<WordOperation>> operations;
  if (cuda::Result error = get(NodeKind::Words, node, &operations))
    return error;
  if (!result)
    return cuda::kInvalidValue;
  *result = {reinterpret_cast<cuda::Context>(node->context),
             static_cast<unsigned>(operations->size()), operations->data(), 0};
  return cuda::kSuccess;
}

static cuda::Result setWords(GraphNode *node, std::optional<const void *> exec,
                             const WordOperations *words) {
  return set(NodeKind::Words, node, exec,
             [&](const GraphNode &node, NodeWork &work) {
               return makeWords(words, *node.context, work);
             });
}

HETERO_CUDA_API cuGraphBatchMemOpNodeSetParams(GraphNode *node,
                                               const WordOperations *words) {
  return setWords(node, std::nullopt, words);
}

HETERO_CUDA_API
cuGraphExecBatchMemOpNodeSetParams(cuda::GraphExec exec, GraphNode *node,
                                   const WordOperations *words) {
  return setWords(node, exec, words);
}

//===----------------------------------------------------------------------===//
// Nodes of any kind
//===----------------------------------------------------------------------===//

static cuda::Result setAny(GraphNode *handle, std::optional<const void *> exec,
                           const GraphNodeParams *params) {
  if (!params)
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  if (NodeKind(params->kind) == NodeKind::Kernel)
    return setKernel(handle, exec, &params->kernel);
  return set(NodeKind(params->kind), handle, exec,
             [&](const GraphNode &, NodeWork &work) {
               return makeWork(params, work);
             });
}

HETERO_CUDA_API cuGraphNodeSetParams(GraphNode *node,
                                     const GraphNodeParams *params) {
  return setAny(node, std::nullopt, params);
}

HETERO_CUDA_API cuGraphExecNodeSetParams(cuda::GraphExec exec, GraphNode *node,
                                         const GraphNodeParams *params) {
  return params && NodeKind(params->kind) == NodeKind::Child
             ? cuGraphExecChildGraphNodeSetParams(exec, node, params->child)
             : setAny(node, exec, params);
}

HETERO_CUDA_API cuGraphNodeSetEnabled(cuda::GraphExec handle, GraphNode *node,
                                      unsigned isEnabled) {
  std::shared_ptr<ExecGraph> exec;
  if (cuda::Result error = findExec(handle, exec))
    return error;
  return exec->setEnabled(node, isEnabled != 0) ? cuda::kSuccess
                                                : cuda::kInvalidValue;
}

HETERO_CUDA_API cuGraphNodeGetEnabled(cuda::GraphExec handle, GraphNode *node,
                                      unsigned *isEnabled) {
  std::shared_ptr<ExecGraph> exec;
  if (cuda::Result error = findExec(handle, exec))
    return error;
  std::optional<bool> state = exec->isEnabled(node);
  if (!isEnabled || !state)
    return cuda::kInvalidValue;
  *isEnabled = *state;
  return cuda::kSuccess;
}
