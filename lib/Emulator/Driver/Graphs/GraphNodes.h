//===- GraphNodes.h - Checks and makes the work of nodes --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_GRAPHS_GRAPHNODES_H
#define HETERO_LIB_EMULATOR_DRIVER_GRAPHS_GRAPHNODES_H

#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/LaunchAttributes.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/State/Registry.h"
#include "Emulator/Driver/Streams/Event.h"

namespace hetero::emulator {

/// The object of a handle; kInvalidValue where the API has that for graphs.
template <typename Object>
cuda::Result findRegistered(Registry<Object> Driver::*registry,
                            const void *handle,
                            std::shared_ptr<Object> &object) {
  if (!getDriver())
    return cuda::kNotInitialized;
  object = (getDriver()->*registry).find(handle);
  return object ? cuda::kSuccess : cuda::kInvalidValue;
}

/// The graph, node or launchable graph of a handle; kInvalidValue for none.
cuda::Result findGraph(const void *handle, std::shared_ptr<Graph> &graph);
cuda::Result findNode(const void *handle, std::shared_ptr<GraphNode> &node);
cuda::Result findExec(const void *handle, std::shared_ptr<ExecGraph> &exec);

/// Whether edges lead from the end of a node to the begin of another.
bool arePlain(const EdgeData *edges, size_t count);

/// The context of a handle, or the current one if it is null.
cuda::Result contextOf(cuda::Context handle, Context *&context);

// The work of a node, or why there is none. Of a kernel, what an earlier node
// knows of attributes stays.
cuda::Result makeKernel(const KernelNodeParams *params, const LaunchCall &like,
                        NodeWork &work);
cuda::Result makeCopy(const Copy3D *box, Context &context, NodeWork &work);
cuda::Result makeFill(const FillBox *box, Context &context, NodeWork &work);
cuda::Result makeHost(const HostCall *call, Context &context, NodeWork &work);
cuda::Result makeEvent(cuda::Event event, NodeKind kind, NodeWork &work);
cuda::Result makeWords(const WordOperations *words, Context &context,
                       NodeWork &work);
cuda::Result makeChild(cuda::Graph graph, Context &context, NodeWork &work);
/// Of any kind.
cuda::Result makeWork(const GraphNodeParams *params, NodeWork &work);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_GRAPHS_GRAPHNODES_H
