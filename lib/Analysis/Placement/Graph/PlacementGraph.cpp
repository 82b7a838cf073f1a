//===- PlacementGraph.cpp - The graph that placement decides on -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementGraph.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::hetero;

void Grouping::build(unsigned count, unsigned numKeys,
                     llvm::function_ref<unsigned(unsigned)> key) {
  begin.assign(numKeys + 1, 0);
  for (unsigned i = 0; i < count; ++i)
    if (unsigned k = key(i); k != kNone)
      ++begin[k + 1];
  for (unsigned k = 0; k < numKeys; ++k)
    begin[k + 1] += begin[k];
  order.resize_for_overwrite(begin[numKeys]);
  SmallVector<unsigned, 0> next(ArrayRef(begin).drop_back());
  for (unsigned i = 0; i < count; ++i)
    if (unsigned k = key(i); k != kNone)
      order[next[k]++] = i;
}

/// Most devices that are told apart in any case.
static constexpr unsigned kFewDevices = 8;

void PlacementGraph::classifyDevices() {
  if (topology.size() <= kFewDevices)
    return;
  classes.clear();
  representatives.clear();
  llvm::DenseMap<Attribute, unsigned> numbers;
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    DeviceSpecAttr spec = topology.getSpec(device);
    MLIRContext *context = spec.getContext();
    // What only the host can run is no other's.
    Attribute key = spec;
    if (device != Topology::kHost)
      key = DeviceSpecAttr::get(
          context, DeviceAttr::get(context, spec.getDevice().getKind()),
          spec.getMemory(), spec.getCompute(), spec.getBandwidth(),
          spec.getLaunch(), spec.getTypes(), spec.getTarget(),
          spec.getOverlap());
    auto [number, isNew] = numbers.try_emplace(key, representatives.size());
    if (isNew)
      representatives.push_back(device);
    classes.push_back(number->second);
  }
}

void PlacementGraph::tellDevicesApart() {
  unsigned numDevices = topology.size();
  if (representatives.size() == numDevices)
    return;
  SmallVector<int64_t, 0> all;
  all.reserve(nodes.size() * numDevices);
  for (NodeIndex node = 0; node < nodes.size(); ++node)
    for (DeviceIndex device = 0; device < numDevices; ++device)
      all.push_back(getTime(node, device));
  times = std::move(all);
  classes = llvm::to_vector(llvm::seq<unsigned>(0, numDevices));
  representatives = classes;
}

void PlacementGraph::groupByNode() {
  readsOfNode.build(reads.size(), nodes.size(),
                    [&](unsigned i) { return reads[i].node; });
  resultsOfNode.build(values.size(), nodes.size(),
                      [&](unsigned i) { return values[i].producer; });
}
