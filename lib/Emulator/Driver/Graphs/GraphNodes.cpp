//===- GraphNodes.cpp - Checks and makes the work of nodes ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Graphs/GraphNodes.h"
#include "Emulator/Driver/Context.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Launch.h"
#include "Emulator/Driver/Memory/Fills.h"
#include "Emulator/Driver/Modules/Function.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/State/Registry.h"
#include "Emulator/Driver/Streams/Event.h"
#include "Emulator/Driver/Streams/Stream.h"
#include "Emulator/Driver/Streams/StreamValues.h"

#include "Emulator/Driver/Memory/Transfers.h"

#include <algorithm>

#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

/// A graph may be part of another one.
cuda::Result hetero::emulator::findGraph(const void *handle,
                                         std::shared_ptr<Graph> &graph) {
  if (findRegistered(&Driver::graphs, handle, graph) == cuda::kSuccess)
    return cuda::kSuccess;
  if (!getDriver())
    return cuda::kNotInitialized;
  for (const std::shared_ptr<GraphNode> &node : getDriver()->graphNodes.all())
    if (auto *child = std::get_if<std::shared_ptr<Graph>>(&node->params))
      if (child->get() == handle) {
        graph = *child;
        return cuda::kSuccess;
      }
  return cuda::kInvalidValue;
}

cuda::Result hetero::emulator::findNode(const void *handle,
                                        std::shared_ptr<GraphNode> &node) {
  return findRegistered(&Driver::graphNodes, handle, node);
}

cuda::Result hetero::emulator::findExec(const void *handle,
                                        std::shared_ptr<ExecGraph> &exec) {
  return findRegistered(&Driver::execGraphs, handle, exec);
}

cuda::Result hetero::emulator::contextOf(cuda::Context handle,
                                         Context *&context) {
  if (!handle)
    return getCurrent(context);
  context = reinterpret_cast<Context *>(handle);
  return getDriver() && getDriver()->isContext(handle) && context->isActive()
             ? cuda::kSuccess
             : cuda::kInvalidContext;
}

cuda::Result hetero::emulator::makeKernel(const KernelNodeParams *params,
                                          const LaunchCall &like,
                                          NodeWork &work) {
  if (!params)
    return cuda::kInvalidValue;
  Context *context = nullptr;
  cuda::Function handle = params->function;
  if (!handle) {
    handle = params->kernel;
    if (cuda::Result error = contextOf(params->context, context))
      return error;
  }
  auto node = std::make_shared<KernelNode>();
  if (getFunction(handle, node->function, context))
    return cuda::kInvalidValue;
  node->call = like;
  std::copy(params->grid, params->grid + 3, node->call.grid);
  std::copy(params->block, params->block + 3, node->call.block);
  node->call.sharedBytes = params->sharedBytes;
  if (cuda::Result error =
          prepareLaunch(node->function, node->call, params->params,
                        params->extra, node->prepared))
    return error;
  work = {NodeKind::Kernel, &node->function.module->context,
          issueOf(node->function, node->prepared), node};
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::makeCopy(const Copy3D *box, Context &context,
                                        NodeWork &work) {
  std::vector<CopyPart> parts;
  if (!box)
    return cuda::kInvalidValue;
  if (cuda::Result error = planCopy(*box, parts))
    return error;
  work = {NodeKind::Copy, &context, issueOf(std::move(parts)), *box};
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::makeFill(const FillBox *box, Context &context,
                                        NodeWork &work) {
  IssueWork issue;
  if (!box)
    return cuda::kInvalidValue;
  if (cuda::Result error = planFill(context, *box, issue))
    return error;
  work = {NodeKind::Fill, &context, std::move(issue), *box};
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::makeHost(const HostCall *call, Context &context,
                                        NodeWork &work) {
  if (!call || !call->function)
    return cuda::kInvalidValue;
  work = {NodeKind::Host, &context, issueOf(*call), *call};
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::makeEvent(cuda::Event handle, NodeKind kind,
                                         NodeWork &work) {
  std::shared_ptr<Event> event;
  if (getEvent(handle, event))
    return cuda::kInvalidValue;
  work = {kind, &event->context,
          kind == NodeKind::Record ? issueRecord(event) : issueWait(event),
          event};
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::makeWords(const WordOperations *words,
                                         Context &context, NodeWork &work) {
  if (!words)
    return cuda::kInvalidValue;
  IssueWork issue;
  if (cuda::Result error =
          planOperations(context, words->operations, words->count, words->flags,
                         /*isNow=*/false, issue))
    return error;
  work = {NodeKind::Words, &context, std::move(issue),
          std::make_shared<std::vector<WordOperation>>(
              words->operations, words->operations + words->count)};
  return cuda::kSuccess;
}

/// The node has the graph as it is now.
cuda::Result hetero::emulator::makeChild(cuda::Graph handle, Context &context,
                                         NodeWork &work) {
  std::shared_ptr<Graph> graph;
  if (cuda::Result error = findGraph(handle, graph))
    return error;
  if (graph->sorted().size() != graph->nodes.size())
    return cuda::kInvalidValue;
  if (graph->usesMemory())
    return refuse("a graph that allocates as part of another one");
  work = {NodeKind::Child, &context, nullptr, graph->clone()};
  return cuda::kSuccess;
}

/// Which context the parameters name, if their kind has one.
static cuda::Context nameContext(const GraphNodeParams &params) {
  return params.kind == int(NodeKind::Copy)    ? params.copy.context
         : params.kind == int(NodeKind::Fill)  ? params.fill.context
         : params.kind == int(NodeKind::Words) ? params.words.context
                                               : nullptr;
}

cuda::Result hetero::emulator::makeWork(const GraphNodeParams *params,
                                        NodeWork &work) {
  if (!params)
    return cuda::kInvalidValue;
  Context *context;
  if (cuda::Result error = contextOf(nameContext(*params), context))
    return error;
  switch (NodeKind(params->kind)) {
  case NodeKind::Kernel:
    return makeKernel(&params->kernel, LaunchCall(), work);
  case NodeKind::Copy:
    return makeCopy(&params->copy.box, *context, work);
  case NodeKind::Fill:
    return makeFill(&params->fill.box, *context, work);
  case NodeKind::Host:
    return makeHost(&params->host, *context, work);
  case NodeKind::Child:
    return makeChild(params->child, *context, work);
  case NodeKind::Empty:
    work = {NodeKind::Empty, context, nullptr, {}};
    return cuda::kSuccess;
  case NodeKind::Wait:
  case NodeKind::Record:
    return makeEvent(params->event, NodeKind(params->kind), work);
  case NodeKind::Words:
    return makeWords(&params->words, *context, work);
  case NodeKind::Allocation:
  case NodeKind::Free:
    return cuda::kInvalidValue; // What they are does not change.
  }
  return refuse("a node of another kind");
}

bool hetero::emulator::arePlain(const EdgeData *edges, size_t count) {
  static constexpr EdgeData plain = {};
  for (size_t i = 0; edges && i < count; ++i)
    if (std::memcmp(&edges[i], &plain, sizeof plain) != 0)
      return false;
  return true;
}
