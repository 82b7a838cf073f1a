//===- SettleNodes.cpp - Nodes that copies do not matter to ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the times of a node on the two devices differ by more than all copies
// of its operands and results can, nothing else has to be known to place it.
// Such nodes take no room in the problem, and what reads them or is read by
// them has bounds that are tighter.
//
//===----------------------------------------------------------------------===//

#include "PairProblem.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if making it is free wherever it is needed.
bool PairProblem::isFree(NodeIndex replicable) const {
  return graph.getTime(replicable, devices[0]) == 0 &&
         graph.getTime(replicable, devices[1]) == 0 &&
         graph.readsOfNode.get(replicable).empty();
}

/// A copy for this reader alone would do. False if there is no bound.
bool PairProblem::addReadBounds(const PlacementRead &read, CopyBounds &bounds) {
  ValueIndex value = read.value;
  const PlacementValue &v = graph.values[value];
  bool isRepeatable = graph.isReplicable(value);
  // What may be copied can be so for this reader.
  if (isRepeatable && !isNeeded[v.producer])
    return isFree(v.producer);
  if (v.producer == read.node)
    return true;
  auto add = [&](DeviceIndex from, DeviceIndex to, int64_t &bound) {
    if (from == to)
      return;
    int64_t time = graph.getTransferTime(value, from, to);
    bound = addTimes(bound, std::min(graph.tree.scale(time, v.block),
                                     graph.tree.scale(time, read.block)));
  };
  bool isKnown = !isRepeatable && !isOpen(v.producer);
  DeviceIndex from = isKnown ? graph.getValueDevice(value) : kNone;
  add(isKnown ? from : devices[0], devices[1], bounds.more);
  add(isKnown ? from : devices[1], devices[0], bounds.less);
  return true;
}

/// One copy to each other device, where the value is made, would do.
void PairProblem::addResultBounds(ValueIndex value, CopyBounds &bounds) {
  if (graph.readsOfValue.get(value).empty() &&
      graph.fixedUsesOfValue.get(value).empty() &&
      graph.partialReadsOfValue.get(value).empty())
    return;
  auto add = [&](DeviceIndex from, int64_t &bound) {
    for (DeviceIndex to = 0; to < graph.topology.size(); ++to)
      if (to != from)
        bound = addTimes(
            bound, graph.tree.scale(graph.getTransferTime(value, from, to),
                                    graph.values[value].block));
  };
  add(devices[1], bounds.more);
  add(devices[0], bounds.less);
}

/// The side where a node stands in any case: false for the first device, which
/// ties go to as everywhere. Nothing if that depends on others.
std::optional<bool> PairProblem::findSide(NodeIndex node) {
  int64_t preference =
      graph.getTime(node, devices[1]) - graph.getTime(node, devices[0]);
  CopyBounds bounds;
  auto isFirst = [&] { return preference >= bounds.less; };
  auto isSecond = [&] { return preference < -bounds.more; };
  // Bounds only grow: few nodes need all of them.
  for (ValueIndex value : graph.resultsOfNode.get(node)) {
    addResultBounds(value, bounds);
    if (!isFirst() && !isSecond())
      return std::nullopt;
  }
  for (unsigned read : graph.readsOfNode.get(node))
    if (!addReadBounds(graph.reads[read], bounds) ||
        (!isFirst() && !isSecond()))
      return std::nullopt;
  return isSecond();
}

/// In the order of the program: what is known of a node makes the bounds of
/// what follows tighter.
void PairProblem::settleNodes() {
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    std::optional<bool> side = isOpen(node) ? findSide(node) : std::nullopt;
    if (!side)
      continue;
    graph.nodes[node].device = devices[*side];
    variables[0][node] = kNoVariable;
    hasSettled = true;
  }
}
