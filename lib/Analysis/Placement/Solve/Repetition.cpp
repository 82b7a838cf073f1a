//===- Repetition.cpp - Operations made again instead of copied -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With two devices an operation that is made on both could be made on one and
// copied to the other. Of the least placements take one that repeats the fewest
// operations: there that is never cheaper, nor as cheap. So an operation can
// only be among the repeated ones if, for both devices, a copy of its results
// costs more than its time and what its operands would save; all others are out
// of the question before anything is placed.
//
//===----------------------------------------------------------------------===//

#include "Repetition.h"

#include "BuildProblem.h"
#include "hetero/Analysis/Blocks/TensorCaptures.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Placement/Repetition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::isRepeatableByCost(const PlacementGraph &graph,
                                      NodeIndex index) {
  const PlacementNode &node = graph.nodes[index];
  return node.open && node.op && !node.spec && !node.stated &&
         !isa<ExecuteOp>(node.op) &&
         graph.resultsOfNode.get(index).size() == node.op->getNumResults() &&
         !node.op->hasAttr(kColocateAttrName) &&
         !graph.states.contains(index) && isMemoryEffectFree(node.op) &&
         !capturesTensors(node.op);
}

Assignment mlir::hetero::reopenRepeated(Assignment assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (graph.nodes[node].open)
      assignment.setReplicated(node, false);
    if (!graph.nodes[node].mayRepeat || assignment.isReplicated(node))
      continue;
    assignment.setReplicated(node, true);
    assignment.setDevice(node, kNone);
  }
  return assignment;
}

SmallVector<uint8_t, 0>
mlir::hetero::findNeeded(const PlacementGraph &graph,
                         llvm::function_ref<bool(NodeIndex)> mayBeBoth) {
  SmallVector<NodeIndex, 0> worklist;
  SmallVector<uint8_t, 0> isNeeded(graph.nodes.size(), false);
  auto need = [&](NodeIndex node) {
    if (node != kNone && !std::exchange(isNeeded[node], true))
      worklist.push_back(node);
  };
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (graph.nodes[node].open || !mayBeBoth(node))
      need(node);
  for (const FixedUse &use : graph.fixedUses)
    need(graph.values[use.value].producer);
  for (const PartialRead &read : graph.partialReads)
    need(graph.values[read.value].producer);
  while (!worklist.empty())
    for (unsigned read : graph.readsOfNode.get(worklist.pop_back_val()))
      need(graph.values[graph.reads[read].value].producer);
  return isNeeded;
}

//===----------------------------------------------------------------------===//
// Two devices
//===----------------------------------------------------------------------===//

namespace {
/// What something costs on, or towards, each of the two devices.
using TimePair = std::array<int64_t, 2>;

/// Finds the repetitions of one graph.
class RepetitionFinder {
public:
  explicit RepetitionFinder(Assignment start)
      : assignment(std::move(start)), graph(assignment.getGraph()),
        isCandidate(graph.nodes.size(), false) {}
  Assignment run();

private:
  bool mayPay(NodeIndex node) const;
  bool isForOneReader(ValueIndex value) const;
  bool rulesOut(const PlacementRead &read, TimePair copies,
                TimePair times) const;
  bool mayBeOn(ValueIndex value, DeviceIndex device) const;
  TimePair getTimes(NodeIndex node) const {
    return {graph.getTime(node, 0), graph.getTime(node, 1)};
  }
  bool isWantedTwice(NodeIndex node) const;

  Assignment assignment;
  const PlacementGraph &graph;
  SmallVector<uint8_t, 0> isCandidate;
};
} // namespace

/// Making it on a device costs `times` there and what is saved by its operands;
/// true if the copy to one of the two costs no more.
static bool isCopyCheaper(TimePair copies, TimePair times, TimePair saved) {
  return copies[0] <= addTimes(times[0], saved[0]) ||
         copies[1] <= addTimes(times[1], saved[1]);
}

/// True if nothing but this read needs the value.
bool RepetitionFinder::isForOneReader(ValueIndex value) const {
  return graph.readsOfValue.get(value).size() == 1 &&
         graph.fixedUsesOfValue.get(value).empty() &&
         graph.partialReadsOfValue.get(value).empty();
}

bool RepetitionFinder::mayBeOn(ValueIndex value, DeviceIndex device) const {
  const PlacementValue &v = graph.values[value];
  if (v.producer == kNone)
    return v.device == device;
  if (assignment.isReplicated(v.producer))
    return true;
  return graph.nodes[v.producer].open
             ? graph.isAllowed(v.producer, device)
             : assignment.getDevice(v.producer) == device;
}

/// True if a copy of the results is no dearer wherever this operand may be:
/// without the repetition no copy of the operand, or no repetition of it, is
/// needed either, if nothing else reads it.
bool RepetitionFinder::rulesOut(const PlacementRead &read, TimePair copies,
                                TimePair times) const {
  const PlacementValue &v = graph.values[read.value];
  if (v.producer == read.node || !isForOneReader(read.value))
    return false;
  for (DeviceIndex device : {0, 1}) {
    if (!mayBeOn(read.value, device))
      continue;
    DeviceIndex to = 1 - device;
    int64_t time = graph.getTransferTime(read.value, device, to);
    TimePair saved = {0, 0};
    saved[to] = graph.tree.scale(
        time, findCheapestBlock(graph.tree, v.block, read.block, time));
    if (!isCopyCheaper(copies, times, saved))
      return false;
  }
  if (v.producer == kNone ||
      !(isCandidate[v.producer] || assignment.isReplicated(v.producer)))
    return true;
  bool isWholeProducer = graph.resultsOfNode.get(v.producer).size() == 1;
  return isCopyCheaper(copies, times,
                       isWholeProducer ? getTimes(v.producer) : TimePair{0, 0});
}

/// By the costs of the node alone and of its operands.
bool RepetitionFinder::mayPay(NodeIndex node) const {
  if (!graph.isAllowed(node, 0) || !graph.isAllowed(node, 1))
    return false;
  TimePair copies = {0, 0}, times = getTimes(node);
  for (DeviceIndex to : {0, 1}) {
    for (unsigned value : graph.resultsOfNode.get(node))
      copies[to] = addTimes(
          copies[to], graph.tree.scale(graph.getTransferTime(value, 1 - to, to),
                                       graph.values[value].block));
    if (copies[to] <= times[to])
      return false;
  }
  return llvm::none_of(graph.readsOfNode.get(node), [&](unsigned read) {
    return rulesOut(graph.reads[read], copies, times);
  });
}

/// True if both devices may need the results.
bool RepetitionFinder::isWantedTwice(NodeIndex node) const {
  bool isWanted[2] = {false, false};
  llvm::SmallSetVector<NodeIndex, 4> readers;
  for (unsigned value : graph.resultsOfNode.get(node)) {
    for (unsigned use : graph.fixedUsesOfValue.get(value))
      isWanted[graph.fixedUses[use].device] = true;
    isWanted[Topology::kHost] |= !graph.partialReadsOfValue.get(value).empty();
    for (unsigned read : graph.readsOfValue.get(value))
      readers.insert(graph.reads[read].node);
  }
  unsigned numOpen = 0;
  for (NodeIndex reader : readers) {
    if (isCandidate[reader])
      return true;
    // It may be needed nowhere.
    if (assignment.isReplicated(reader))
      return false;
    if (!graph.nodes[reader].open)
      isWanted[assignment.getDevice(reader)] = true;
    else if (!graph.isAllowed(reader, 0) || !graph.isAllowed(reader, 1))
      isWanted[graph.isAllowed(reader, 1)] = true;
    else
      ++numOpen;
  }
  return numOpen + isWanted[0] + isWanted[1] >= 2;
}

/// Operands come before what reads them, as a rule; else more nodes stay
/// candidates than have to.
Assignment RepetitionFinder::run() {
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    isCandidate[node] = graph.nodes[node].open && graph.nodes[node].op &&
                        mayPay(node) && isRepeatableByCost(graph, node);
  for (NodeIndex node = graph.nodes.size(); node-- != 0;) {
    isCandidate[node] = isCandidate[node] && isWantedTwice(node);
    if (!isCandidate[node])
      continue;
    assignment.setReplicated(node, true);
    assignment.setDevice(node, kNone);
  }
  return std::move(assignment);
}

Assignment mlir::hetero::findRepetitions(Assignment start) {
  return RepetitionFinder(std::move(start)).run();
}

//===----------------------------------------------------------------------===//
// More devices
//===----------------------------------------------------------------------===//

Assignment mlir::hetero::repeatWhereCheaper(Assignment decided) {
  const PlacementGraph &graph = decided.getGraph();
  if (llvm::none_of(llvm::seq<NodeIndex>(0, graph.nodes.size()),
                    [&](NodeIndex node) {
                      return graph.nodes[node].mayRepeat ||
                             isRepeatableByCost(graph, node);
                    }))
    return decided;
  assignNumbers(
      repeatWhereCheaper(buildProblem(graph), buildAssignment(decided)),
      decided);
  return decided;
}
