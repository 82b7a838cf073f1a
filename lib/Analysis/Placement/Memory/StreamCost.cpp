//===- StreamCost.cpp - What streaming constants costs --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamCost.h"

#include "hetero/Support/Solvers/Knapsack.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::hetero;

void mlir::hetero::forEachStreamableRead(
    const MemoryModel &model,
    llvm::function_ref<void(const PlacementRead &, DeviceIndex, int64_t)>
        visit) {
  const PlacementGraph &graph = model.graph;
  for (const PlacementRead &read : graph.reads)
    for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
      if (model.canStream(read, device))
        visit(read, device,
              graph.tree.scale(
                  graph.getTransferTime(
                      read.value, graph.topology.getHostOf(device), device),
                  read.block));
}

namespace {
/// What streaming one constant takes.
struct Stream {
  int64_t bytes = 0, time = 0;
  double copiedBytes = 0;
  SmallVector<unsigned, 2> reads = {};
};

/// The streams of one device. Equal constants are one.
using Streams = llvm::MapVector<Attribute, Stream>;
} // namespace

/// By device.
static SmallVector<Streams, 0> collectStreams(const MemoryUse &use) {
  const MemoryModel &model = use.getModel();
  const Assignment &assignment = use.getAssignment();
  const PlacementGraph &graph = model.graph;
  SmallVector<Streams, 0> streams(graph.topology.size());
  forEachStreamableRead(
      model, [&](const PlacementRead &read, DeviceIndex device, int64_t time) {
        // What is replicated runs wherever it is needed, and takes little.
        if (assignment.isReplicated(read.node) ||
            assignment.getDevice(read.node) != device)
          return;
        Stream &stream = streams[device][model.getConstant(read.value)];
        stream.bytes = graph.values[read.value].bytes;
        stream.time = addTimes(stream.time, time);
        stream.reads.push_back(&read - graph.reads.begin());
        stream.copiedBytes +=
            double(stream.bytes) * graph.tree.getFrequency(read.block);
      });
  return streams;
}

/// Streams those that fit the least into what the values leave.
static StreamedConstants stream(const Streams &streams, int64_t values,
                                int64_t capacity) {
  constexpr int64_t kMostTime = int64_t(1) << 46;
  SmallVector<KnapsackItem, 0> items;
  StreamedConstants result;
  int64_t largest = 0;
  for (const auto &[attribute, stream] : streams) {
    items.push_back({stream.bytes, std::min(stream.time, kMostTime)});
    largest = std::max(largest, stream.bytes);
  }
  // One arrives while another is read, which counts as a value already.
  int64_t room = capacity - values - std::min(largest, capacity - values);
  KnapsackChoice choice = chooseItems(items, room);
  double bytes = 0;
  for (auto [entry, isKept] : llvm::zip(streams, choice.taken)) {
    const Stream &stream = entry.second;
    if (isKept)
      continue;
    result.time = addTimes(result.time, stream.time);
    bytes += stream.copiedBytes;
    ++result.constants;
    llvm::append_range(result.reads, stream.reads);
  }
  result.bytes = int64_t(std::min(bytes, 9e18));
  return result;
}

SmallVector<StreamedConstants, 0>
mlir::hetero::estimateStreams(const MemoryUse &use, const MemoryModel &plain) {
  const Topology &topology = plain.graph.topology;
  MemoryUse kept(plain, use.getAssignment());
  SmallVector<StreamedConstants, 0> result;
  if (kept.getExcess() == 0)
    return result;
  SmallVector<Streams, 0> streams = collectStreams(use);
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    if (kept.getExcess(device) == 0 || streams[device].empty())
      continue;
    StreamedConstants found = stream(streams[device], use.getPeak(device).bytes,
                                     *topology.getCapacity(device));
    found.device = topology.getDevice(device);
    found.from = topology.getHostOf(device);
    found.to = device;
    found.neededBytes = kept.getPeak(device).bytes;
    llvm::sort(found.reads);
    result.push_back(std::move(found));
  }
  return result;
}
