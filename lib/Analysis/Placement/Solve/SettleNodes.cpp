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

#include "SettleNodes.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// What copies can cost at most, if everything else stays where it is or moves,
/// more or less when a node moves from the first device to the second.
struct CopyBounds {
  int64_t more = 0, less = 0;
};

/// Looks at the nodes of one choice.
class Settler {
public:
  explicit Settler(const PairChoice &choice)
      : choice(choice), graph(choice.graph),
        devices{choice.getDevice(false), choice.getDevice(true)} {}

  /// The side where a node stands in any case: false for the first device,
  /// which ties go to as everywhere. Nothing if that depends on others.
  std::optional<bool> findSide(NodeIndex node) const;

private:
  bool isFree(NodeIndex replicated) const;
  bool addReadBounds(const PlacementRead &read, CopyBounds &bounds) const;
  SmallVector<DeviceIndex, 8> findReaders(ValueIndex value) const;
  void addResultBounds(ValueIndex value, CopyBounds &bounds) const;

  const PairChoice &choice;
  const PlacementGraph &graph;
  DeviceIndex devices[2];
};
} // namespace

/// True if making it is free wherever it is needed.
bool Settler::isFree(NodeIndex replicated) const {
  return graph.getTime(replicated, devices[0]) == 0 &&
         graph.getTime(replicated, devices[1]) == 0 &&
         graph.readsOfNode.get(replicated).empty();
}

/// A copy for this reader alone would do. False if there is no bound.
bool Settler::addReadBounds(const PlacementRead &read,
                            CopyBounds &bounds) const {
  ValueIndex value = read.value;
  const PlacementValue &v = graph.values[value];
  bool isReplicated = choice.assignment.isValueReplicated(value);
  // What may be copied can be so for this reader.
  if (isReplicated && !choice.isCopiable(v.producer))
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
  bool isKnown = !isReplicated && !choice.isOpen(v.producer);
  DeviceIndex from = isKnown ? choice.assignment.getValueDevice(value) : kNone;
  add(isKnown ? from : devices[0], devices[1], bounds.more);
  add(isKnown ? from : devices[1], devices[0], bounds.less);
  return true;
}

/// The devices that may need the value. What is replicated may be made on any.
SmallVector<DeviceIndex, 8> Settler::findReaders(ValueIndex value) const {
  SmallVector<DeviceIndex, 8> readers;
  for (unsigned index : graph.readsOfValue.get(value)) {
    NodeIndex reader = graph.reads[index].node;
    if (choice.assignment.isReplicated(reader))
      return llvm::to_vector<8>(
          llvm::seq<DeviceIndex>(0, graph.topology.size()));
    if (choice.isOpen(reader))
      readers.append({devices[0], devices[1]});
    else
      readers.push_back(choice.assignment.getDevice(reader));
  }
  for (unsigned use : graph.fixedUsesOfValue.get(value))
    readers.push_back(graph.fixedUses[use].device);
  if (!graph.partialReadsOfValue.get(value).empty())
    readers.push_back(Topology::kHost);
  llvm::sort(readers);
  readers.erase(llvm::unique(readers), readers.end());
  return readers;
}

/// One copy to each device that needs the value, where it is made, would do.
void Settler::addResultBounds(ValueIndex value, CopyBounds &bounds) const {
  SmallVector<DeviceIndex, 8> readers = findReaders(value);
  auto add = [&](DeviceIndex from, int64_t &bound) {
    for (DeviceIndex to : readers)
      if (to != from)
        bound = addTimes(
            bound, graph.tree.scale(graph.getTransferTime(value, from, to),
                                    graph.values[value].block));
  };
  add(devices[1], bounds.more);
  add(devices[0], bounds.less);
}

std::optional<bool> Settler::findSide(NodeIndex node) const {
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
bool mlir::hetero::settleNodes(PairChoice &choice) {
  Settler settler(choice);
  bool hasSettled = false;
  for (NodeIndex node = 0; node < choice.graph.nodes.size(); ++node) {
    if (!choice.isOpen(node))
      continue;
    if (std::optional<bool> isSecond = settler.findSide(node)) {
      choice.settle(node, *isSecond);
      hasSettled = true;
    }
  }
  return hasSettled;
}
