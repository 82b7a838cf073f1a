//===- DecidedPart.cpp - What every placement pays ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies of one value to one device serve all uses there, so those that decided
// readers need alone cost no more than those of any placement.
//
//===----------------------------------------------------------------------===//

#include "DecidedPart.h"

#include "Analysis/Placement/Price/Replicas.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
class DecidedPart {
public:
  explicit DecidedPart(const Assignment &decided)
      : decided(decided), graph(decided.getGraph()),
        isDecided(graph.nodes.size()), wanted(graph.nodes.size()) {
    for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
      isDecided[node] = !graph.nodes[node].open &&
                        !graph.nodes[node].mayRepeat && !isDearReplica(node);
    countWanted();
  }

  int64_t run();

private:
  bool isDearReplica(NodeIndex node) const;
  void countWanted();
  int64_t getTime(NodeIndex node) const;
  int64_t getBestTime(NodeIndex node) const;
  int64_t getCopyTime(ValueIndex value) const;
  bool isKnown(ValueIndex value) const;

  const Assignment &decided;
  const PlacementGraph &graph;
  SmallVector<uint8_t, 0> isDecided;
  /// By replicated node that is decided: where decided readers need it.
  CountsByDevice wanted;
};
} // namespace

/// True for what is made wherever it is needed and takes time: made once and
/// copied it may cost less, also where the solver at hand does not ask.
bool DecidedPart::isDearReplica(NodeIndex node) const {
  return decided.isReplicated(node) &&
         llvm::any_of(graph.representatives, [&](DeviceIndex device) {
           return graph.getTime(node, device) != 0;
         });
}

void DecidedPart::countWanted() {
  SmallVector<std::pair<NodeIndex, DeviceIndex>, 0> worklist;
  auto want = [&](ValueIndex value, DeviceIndex device) {
    NodeIndex producer = graph.values[value].producer;
    if (device != kNone && decided.isValueReplicated(value) &&
        isDecided[producer] && wanted.add(producer, device, 1) == 1)
      worklist.push_back({producer, device});
  };
  for (const PlacementRead &read : graph.reads)
    if (isDecided[read.node] && !decided.isReplicated(read.node))
      want(read.value, decided.getDevice(read.node));
  for (const FixedUse &use : graph.fixedUses)
    want(use.value, use.device);
  while (!worklist.empty()) {
    auto [node, device] = worklist.pop_back_val();
    for (unsigned read : graph.readsOfNode.get(node))
      want(graph.reads[read].value, device);
  }
}

/// Without an annotation, devices of one class are allowed alike.
int64_t DecidedPart::getBestTime(NodeIndex node) const {
  int64_t best = kNever;
  auto add = [&](DeviceIndex device) {
    if (graph.isAllowed(node, device))
      best = std::min(best, graph.getTime(node, device));
  };
  if (graph.nodes[node].spec)
    llvm::for_each(llvm::seq(graph.topology.size()), add);
  else
    llvm::for_each(graph.representatives, add);
  return best;
}

int64_t DecidedPart::getTime(NodeIndex node) const {
  if (!graph.nodes[node].takesTime())
    return 0;
  // What is repeated by cost may be needed nowhere.
  if (!isDecided[node])
    return decided.isReplicated(node) ? 0 : getBestTime(node);
  if (!decided.isReplicated(node))
    return graph.getTime(node, decided.getDevice(node));
  int64_t sum = 0;
  for (const CountsByDevice::Entry &entry : wanted.get(node))
    sum = addTimes(sum, graph.getTime(node, entry.device));
  return sum;
}

/// True if every placement has the value on one device, always the same.
bool DecidedPart::isKnown(ValueIndex value) const {
  NodeIndex producer = graph.values[value].producer;
  return producer == kNone ||
         (isDecided[producer] && !decided.isReplicated(producer));
}

int64_t DecidedPart::getCopyTime(ValueIndex value) const {
  if (!isKnown(value))
    return 0;
  DeviceIndex from = decided.getValueDevice(value);
  llvm::SmallMapVector<DeviceIndex, SmallVector<BlockIndex, 4>, 2> uses;
  auto add = [&](DeviceIndex device, BlockIndex block) {
    if (device != from && device != kNone)
      uses[device].push_back(block);
  };
  for (unsigned index : graph.readsOfValue.get(value)) {
    const PlacementRead &read = graph.reads[index];
    if (!isDecided[read.node])
      continue;
    if (!decided.isReplicated(read.node))
      add(decided.getDevice(read.node), read.block);
    for (const CountsByDevice::Entry &entry : wanted.get(read.node))
      add(entry.device, read.block);
  }
  for (unsigned use : graph.fixedUsesOfValue.get(value))
    add(graph.fixedUses[use].device, graph.fixedUses[use].block);
  int64_t sum = 0;
  for (const auto &[to, blocks] : uses)
    sum = addTimes(sum, chooseCopySites(graph.tree, graph.values[value].block,
                                        blocks,
                                        graph.getTransferTime(value, from, to))
                            .time);
  return sum;
}

int64_t DecidedPart::run() {
  int64_t sum = 0;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    sum = addTimes(sum, getTime(node));
  for (ValueIndex value = 0; value < graph.values.size(); ++value)
    sum = addTimes(sum, getCopyTime(value));
  return sum;
}

int64_t mlir::hetero::boundDecidedPart(const Assignment &decided) {
  return DecidedPart(decided).run();
}
