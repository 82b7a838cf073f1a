//===- MemoryModel.cpp - Which values share their bytes -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryModel.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::hetero;

MemoryModel::MemoryModel(const PlacementGraph &graph, bool streamsConstants)
    : graph(graph), order(graph), streams(streamsConstants),
      sizes(graph.sizes) {
  size_t numValues = graph.values.size();
  viewed.assign(numValues, kNone);
  overwritten.assign(numValues, kNone);
  constants.assign(numValues, {});
  isArgument.assign(numValues, false);
  calls.assign(numValues, kNone);
  for (ValueIndex value : graph.arguments)
    isArgument[value] = true;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (graph.nodes[node].op)
      addResults(node);
    else
      addCarried(node);
  }
  addStates();
}

bool MemoryModel::canStream(const PlacementRead &read,
                            DeviceIndex device) const {
  const Topology &topology = graph.topology;
  const PlacementNode &node = graph.nodes[read.node];
  // A view has to live as long as what reads it.
  for (unsigned result : graph.resultsOfNode.get(read.node))
    if (viewed[result] == read.value)
      return false;
  DeviceIndex host = topology.getHostOf(device);
  return constants[read.value] && node.op && !node.isControl &&
         !isa<CallOpInterface>(node.op) && topology.getCapacity(device) &&
         device != host && topology.isReachable(host, device) &&
         topology.getStops(host, device).empty() &&
         !topology.isUnified(host, device);
}

/// The destinations that an operation overwrites, by result, where they are
/// among its reads: reads are in the order of operands, once per value.
static SmallVector<ValueIndex> findDestinations(const PlacementGraph &graph,
                                                NodeIndex node) {
  SmallVector<ValueIndex> destinations;
  auto op = dyn_cast<DestinationStyleOpInterface>(graph.nodes[node].op);
  if (!op)
    return destinations;
  llvm::SmallDenseMap<Value, ValueIndex> reads;
  ArrayRef<unsigned> indices = graph.readsOfNode.get(node);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType()) || !readsOperand(operand) ||
        getOperandConstraint(operand) != PlacementConstraint::SameAsOp ||
        indices.empty() || reads.contains(operand.get()))
      continue;
    reads[operand.get()] = graph.reads[indices.front()].value;
    indices = indices.drop_front();
  }
  for (OpResult result : op->getResults()) {
    OpOperand *tied = op.getTiedOpOperand(result);
    auto it = readsOperand(*tied) ? reads.find(tied->get()) : reads.end();
    ValueIndex value = it == reads.end() ? kNone : it->second;
    bool isTaken = llvm::is_contained(destinations, value);
    destinations.push_back(isTaken ? kNone : value);
  }
  return destinations;
}

/// Results of an operation that is placed.
void MemoryModel::addResults(NodeIndex index) {
  const PlacementNode &node = graph.nodes[index];
  ArrayRef<unsigned> results = graph.resultsOfNode.get(index);
  if (results.empty())
    return;
  Attribute constant;
  if (matchPattern(node.op, m_Constant(&constant))) {
    constants[results.front()] = constant;
    return;
  }
  ArrayRef<unsigned> reads = graph.readsOfNode.get(index);
  PlacementCost cost = getPlacementCost(node.op, sizes);
  if (cost.flops == 0 && cost.bytes == 0 && reads.size() == 1) {
    for (unsigned result : results)
      viewed[result] = graph.reads[reads.front()].value;
    return;
  }
  SmallVector<ValueIndex> destinations = findDestinations(graph, index);
  if (destinations.size() == results.size())
    for (auto [result, destination] : llvm::zip(results, destinations))
      overwritten[result] = destination;
}

int64_t mlir::hetero::getStateBytes(const PlacementGraph &graph,
                                    NodeIndex user) {
  int64_t bytes = 0;
  for (unsigned result : graph.resultsOfNode.get(user))
    bytes = std::max(bytes, graph.values[result].bytes);
  for (unsigned read : graph.readsOfNode.get(user))
    bytes = std::max(bytes, graph.values[graph.reads[read].value].bytes);
  return bytes;
}

/// All that use one state are where it is, so that one of them tells.
void MemoryModel::addStates() {
  llvm::SmallPtrSet<Operation *, 8> seen;
  for (NodeIndex node : graph.colocated)
    if (Operation *state = graph.states.lookup(node);
        state && seen.insert(state).second)
      states.push_back({state, node, getStateBytes(graph, node)});
}

void MemoryModel::addCarried(NodeIndex node) {
  CarrierKind kind = order.getKind(node);
  if (kind == CarrierKind::Region)
    carriers.push_back({node, order.getRegionSpan(node)});
  if (kind != CarrierKind::Signature)
    return;
  for (unsigned value : graph.resultsOfNode.get(node))
    if (!isArgument[value])
      calls[value] = graph.values[value].at - 1;
}
