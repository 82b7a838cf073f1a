//===- CopyCosts.cpp - What the copies of one value cost ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyCosts.h"

#include <map>

using namespace mlir;
using namespace mlir::hetero;

CopyCosts::CopyCosts(const Assignment &assignment, ValueIndex value,
                     const ReplicaCounts &replicas)
    : assignment(assignment), graph(assignment.getGraph()), value(value) {
  // Every block with a use is a stop, whichever device it is on now.
  SmallVector<BlockIndex> blocks;
  for (unsigned read : graph.readsOfValue.get(value))
    blocks.push_back(graph.reads[read].block);
  for (unsigned use : graph.fixedUsesOfValue.get(value))
    blocks.push_back(graph.fixedUses[use].block);
  for (unsigned read : graph.partialReadsOfValue.get(value))
    blocks.push_back(graph.partialReads[read].block);
  for (const CopyStop &stop :
       collectCopyStops(graph.tree, graph.values[value].block, blocks))
    stops.push_back(stop);

  for (unsigned index : graph.readsOfValue.get(value)) {
    const PlacementRead &read = graph.reads[index];
    unsigned stop = findStop(stops, read.block);
    if (!assignment.isReplicated(read.node))
      addUse(stop, assignment.getDevice(read.node));
    else
      for (const ReplicaCounts::Entry &entry : replicas.get(read.node))
        if (entry.count != 0)
          addUse(stop, entry.device);
  }
  for (unsigned index : graph.fixedUsesOfValue.get(value)) {
    const FixedUse &use = graph.fixedUses[index];
    addUse(findStop(stops, use.block), use.device);
  }
  if (!graph.partialReadsOfValue.get(value).empty())
    needed.insert(Topology::kHost);
  DeviceIndex from = assignment.getValueDevice(value);
  for (DeviceIndex to : needed)
    if (to != from)
      subtrees[to] = compute(from, to);
}

void CopyCosts::addUse(unsigned stop, DeviceIndex device) {
  if (device == kNone)
    return;
  ++uses[{stop, device}];
  needed.insert(device);
}

/// A block with a use needs a copy in it or above; else a copy here or the
/// copies below are cheaper.
WideTime CopyCosts::getBest(unsigned stop, int64_t time, unsigned uses,
                            WideTime below) const {
  WideTime here = graph.tree.scale(time, stops[stop].block);
  return uses != 0 ? here : std::min(here, below);
}

SmallVector<CopyCosts::Subtree, 1> CopyCosts::compute(DeviceIndex from,
                                                      DeviceIndex to) const {
  SmallVector<Subtree, 1> result(stops.size());
  if (to == Topology::kHost)
    for (unsigned read : graph.partialReadsOfValue.get(value)) {
      OptionalUse use = graph.getOptionalUse(graph.partialReads[read], from);
      result[findStop(stops, use.block)].below += use.time;
    }
  int64_t time = graph.getTransferTime(value, from, to);
  // Parents come before their children.
  for (unsigned i = stops.size(); i-- != 0;) {
    result[i].best = getBest(i, time, uses.lookup({i, to}), result[i].below);
    if (i != 0)
      result[stops[i].parent].below += result[i].best;
  }
  return result;
}

WideTime CopyCosts::getPrice(DeviceIndex from) const {
  bool isThere = from == assignment.getValueDevice(value);
  WideTime price = 0;
  for (DeviceIndex to : needed)
    if (to != from)
      price += isThere ? subtrees.find(to)->second.front().best
                       : compute(from, to).front().best;
  return price;
}

WideTime CopyCosts::getChange(DeviceIndex to,
                              ArrayRef<UseChange> changes) const {
  DeviceIndex from = assignment.getValueDevice(value);
  if (to == from)
    return 0;
  struct Pending {
    int uses = 0;
    WideTime below = 0;
  };
  // The last stop first, so that all children come before their parent.
  std::map<unsigned, Pending, std::greater<unsigned>> pending;
  for (const UseChange &change : changes)
    pending[findStop(stops, change.block)].uses += change.count;
  int64_t time = graph.getTransferTime(value, from, to);
  auto known = subtrees.find(to);
  while (!pending.empty()) {
    auto [stop, change] = *pending.begin();
    pending.erase(pending.begin());
    Subtree before = known == subtrees.end() ? Subtree() : known->second[stop];
    WideTime best = getBest(stop, time, uses.lookup({stop, to}) + change.uses,
                            before.below + change.below);
    if (stop == 0)
      return best - before.best;
    if (best != before.best)
      pending[stops[stop].parent].below += best - before.best;
  }
  return 0;
}
