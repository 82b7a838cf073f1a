//===- GraphMemory.h - Memory that graphs allocate --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node that allocates has an address from the beginning; memory lies there
// from when the node runs until a node or a call frees it. A graph with such
// nodes is not copied, and has one launchable graph at a time.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_DRIVER_GRAPHS_GRAPHMEMORY_H
#define HETERO_LIB_EMULATOR_DRIVER_GRAPHS_GRAPHMEMORY_H

#include "Emulator/Driver/Graphs/Graph.h"

#include <atomic>

namespace hetero::emulator {

class Device;

/// Memory of a node that allocates.
struct GraphMemory : std::enable_shared_from_this<GraphMemory> {
  GraphMemory(Context &context, const AllocationParams &params);
  ~GraphMemory();

  Context &context;
  AllocationParams params;
  /// By the calls up to now: it was allocated and not freed.
  std::atomic<bool> isAllocated{false};
  std::weak_ptr<ExecGraph> user; ///< The launchable graph.
};

/// The memory of a graph that begins at the address, or null.
std::shared_ptr<GraphMemory> findGraphMemory(cuda::DevicePointer address);

/// Whether the bytes are of a graph; `isNow`: the calls up to now have
/// allocated them.
bool isOfGraph(cuda::DevicePointer address, uint64_t bytes, bool isNow);
/// Memory of a graph is gone, if it was that.
void leaveGraph(const Device &device, cuda::DevicePointer address);

/// The work of nodes. `params` gets the address.
cuda::Result makeAllocation(AllocationParams *params, Context &context,
                            NodeWork &work);
/// Each allocation is freed once in a graph.
cuda::Result makeFree(cuda::DevicePointer address, const Graph &graph,
                      Context &context, NodeWork &work);

/// Before a launch: what an earlier one has left is freed, or an error.
cuda::Result prepareMemory(const ExecGraph &graph,
                           const std::shared_ptr<Stream> &stream, bool frees);

} // namespace hetero::emulator

#endif // HETERO_LIB_EMULATOR_DRIVER_GRAPHS_GRAPHMEMORY_H
