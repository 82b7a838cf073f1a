//===- MoveCosts.cpp - What moving one operation would cost ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MoveCosts.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"

using namespace mlir;
using namespace mlir::hetero;

MoveCosts::MoveCosts(const Assignment &assignment)
    : assignment(assignment), graph(assignment.getGraph()),
      replicas(countReplicas(assignment)), copies(graph.values.size()) {}

/// The node's operands are needed there by one more, or one less. Chains of
/// replicas are short, so that few others come into being or go.
void MoveCosts::changeReads(NodeIndex node, DeviceIndex device, int count,
                            Changes &changes) {
  SmallVector<NodeIndex> worklist{node};
  while (!worklist.empty()) {
    NodeIndex reader = worklist.pop_back_val();
    for (unsigned index : graph.readsOfNode.get(reader)) {
      const PlacementRead &read = graph.reads[index];
      if (!assignment.isValueReplicated(read.value)) {
        changes.uses.push_back({read.value, device, read.block, count});
        continue;
      }
      NodeIndex replica = graph.values[read.value].producer;
      int &change = changes.replicas[{replica, device}];
      int now = int(replicas.get(replica, device)) + change;
      change += count;
      // It is made for the first that needs it and goes with the last.
      if ((now == 0) == (now + count == 0))
        continue;
      changes.compute += WideTime(count) * graph.getTime(replica, device);
      worklist.push_back(replica);
    }
  }
}

CopyCosts &MoveCosts::getCopies(ValueIndex value) {
  if (!copies[value])
    copies[value] = std::make_unique<CopyCosts>(assignment, value, replicas);
  return *copies[value];
}

/// The change of the copies of what the node needs.
std::optional<WideTime> MoveCosts::priceUses(NodeIndex node, Changes &changes) {
  llvm::stable_sort(changes.uses, [](const UseChange &a, const UseChange &b) {
    return std::pair(a.value, a.device) < std::pair(b.value, b.device);
  });
  WideTime price = 0;
  for (ArrayRef<UseChange> rest = changes.uses; !rest.empty();) {
    ArrayRef<UseChange> same = rest.take_while([&](const UseChange &change) {
      return change.value == rest.front().value &&
             change.device == rest.front().device;
    });
    // An operation that reads its own result is in a block that never runs.
    if (graph.values[same.front().value].producer == node)
      return std::nullopt;
    price += getCopies(same.front().value).getChange(same.front().device, same);
    rest = rest.drop_front(same.size());
  }
  return price;
}

/// Nothing for times that are never reached: they are at the limit of the type.
static std::optional<MoveCost> getPossible(WideTime compute, WideTime copies) {
  auto isPossible = [](WideTime time) {
    return time < INT64_MAX / 2 && time > -(INT64_MAX / 2);
  };
  if (!isPossible(compute) || !isPossible(copies))
    return std::nullopt;
  return MoveCost{int64_t(compute), int64_t(copies)};
}

std::optional<MoveCost> MoveCosts::getStated(NodeIndex node,
                                             DeviceIndex device) {
  DeviceIndex now = *graph.topology.lookup(graph.nodes[node].stated.getBare());
  Changes changes;
  for (ValueIndex value : graph.resultsOfNode.get(node)) {
    BlockIndex block = graph.nodes[node].block;
    // Parts that come back are not needed there.
    if (llvm::none_of(graph.fixedUsesOfValue.get(value), [&](unsigned use) {
          return graph.fixedUses[use].device == now;
        }))
      continue;
    changes.uses.push_back({value, device, block, 1});
    changes.uses.push_back({value, now, block, -1});
  }
  return getPossible(0, *priceUses(kNone, changes));
}

std::optional<MoveCost> MoveCosts::get(NodeIndex node, DeviceIndex device) {
  if (graph.nodes[node].stated)
    return getStated(node, device);
  DeviceIndex now = assignment.getDevice(node);
  if (assignment.isReplicated(node) || !graph.nodes[node].isTimed ||
      !graph.canRunOn(node, device))
    return std::nullopt;
  if (device == now)
    return MoveCost();
  Changes changes;
  changes.compute =
      WideTime(graph.getTime(node, device)) - graph.getTime(node, now);
  changeReads(node, device, 1, changes);
  changeReads(node, now, -1, changes);
  std::optional<WideTime> copies = priceUses(node, changes);
  if (!copies)
    return std::nullopt;
  for (ValueIndex value : graph.resultsOfNode.get(node))
    *copies +=
        getCopies(value).getPrice(device) - getCopies(value).getPrice(now);
  return getPossible(changes.compute, *copies);
}
