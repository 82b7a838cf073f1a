//===- PairChoice.cpp - What is open between two devices ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairChoice.h"

using namespace mlir;
using namespace mlir::hetero;

PairChoice::PairChoice(Assignment start, DeviceIndex first, DeviceIndex second)
    : graph(start.getGraph()), assignment(std::move(start)),
      devices{first, second} {
  findOpen();
  findCopiable();
}

/// What stands on a third device stays there.
void PairChoice::findOpen() {
  openNodes.assign(graph.nodes.size(), false);
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    DeviceIndex device = assignment.getDevice(node);
    if (assignment.isReplicated(node) || !graph.nodes[node].open ||
        (device != kNone && device != devices[0] && device != devices[1]))
      continue;
    bool isAllowed[] = {graph.isAllowed(node, devices[0]),
                        graph.isAllowed(node, devices[1])};
    if (isAllowed[0] && isAllowed[1])
      openNodes[node] = true;
    else if (device == kNone)
      assignment.setDevice(node, devices[isAllowed[1]]);
  }
}

/// True if something that is not replicated needs it.
bool PairChoice::isUsed(NodeIndex replicated) const {
  return llvm::any_of(
      graph.resultsOfNode.get(replicated), [&](ValueIndex value) {
        return !graph.fixedUsesOfValue.get(value).empty() ||
               !graph.partialReadsOfValue.get(value).empty() ||
               llvm::any_of(graph.readsOfValue.get(value), [&](unsigned read) {
                 return !assignment.isReplicated(graph.reads[read].node);
               });
      });
}

/// With two devices: what some use needs, and what that is made from. Whether
/// it is replicated must be a choice.
void PairChoice::findCopiable() {
  copiable.assign(graph.nodes.size(), false);
  if (graph.topology.size() > 2)
    return;
  auto isChoice = [&](NodeIndex node) {
    return assignment.isReplicated(node) &&
           (graph.nodes[node].mayRepeat || graph.nodes[node].open);
  };
  SmallVector<NodeIndex, 0> worklist;
  auto add = [&](NodeIndex node) {
    if (copiable[node] || graph.getTime(node, devices[0]) == kNever ||
        graph.getTime(node, devices[1]) == kNever)
      return;
    copiable[node] = true;
    worklist.push_back(node);
  };
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (isChoice(node) && isUsed(node))
      add(node);
  while (!worklist.empty())
    for (unsigned read : graph.readsOfNode.get(worklist.pop_back_val()))
      if (NodeIndex producer = graph.values[graph.reads[read].value].producer;
          producer != kNone && isChoice(producer))
        add(producer);
}
