//===- PlacementGraph.cpp - The graph that placement decides on -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the graph from a module: a node per placed operation, a value per
// tensor, and the uses that are not open to choice (terminators, control flow,
// calls).
//
//===----------------------------------------------------------------------===//

#include "PlacementGraph.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Builds one graph.
class GraphBuilder {
public:
  GraphBuilder(ModuleOp module, PlacementGraph &graph)
      : module(module), graph(graph), topology(graph.topology) {}

  void run();

private:
  ValueIndex addValue(Value value, NodeIndex producer, DeviceIndex device);
  ValueIndex getValue(Value value);
  DeviceIndex resolve(DeviceAttr device) const;
  DeviceIndex getCallDevice(Operation *call, unsigned index, bool isResult);
  void addFunction(FunctionOpInterface function);
  void addOperation(Operation *op);
  void addFixedUse(Value value, DeviceIndex device);
  void addOperands(Operation *op, PlacementNode &node);
  void addCaptures(Operation *op);
  void addTerminator(Operation *op, FunctionOpInterface function);

  ModuleOp module;
  PlacementGraph &graph;
  const Topology &topology;
  llvm::DenseMap<Value, ValueIndex> indices;
  llvm::DenseMap<StringAttr, FunctionOpInterface> functions;
};
} // namespace

ValueIndex GraphBuilder::addValue(Value value, NodeIndex producer,
                                  DeviceIndex device) {
  ValueIndex index = graph.values.size();
  indices[value] = index;
  graph.values.push_back({producer, device, getTensorBytes(value.getType())});
  graph.uses.append(topology.size(), 0);
  return index;
}

/// Values that no node makes are arguments of blocks: on the host.
ValueIndex GraphBuilder::getValue(Value value) {
  auto it = indices.find(value);
  return it != indices.end() ? it->second
                             : addValue(value, kNone, Topology::kHost);
}

DeviceIndex GraphBuilder::resolve(DeviceAttr device) const {
  if (!device)
    return Topology::kHost;
  SmallVector<DeviceIndex> matching = topology.getMatching(device);
  return matching.empty() ? Topology::kHost : matching.front();
}

/// Where the callee's signature wants an argument or gives a result.
DeviceIndex GraphBuilder::getCallDevice(Operation *op, unsigned index,
                                        bool isResult) {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return Topology::kHost;
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  FunctionOpInterface callee = symbol
                                   ? functions.lookup(symbol.getLeafReference())
                                   : FunctionOpInterface();
  if (!callee)
    return Topology::kHost;
  if (isResult)
    return index < callee.getNumResults()
               ? resolve(getResultDevice(callee, index))
               : Topology::kHost;
  unsigned first = op->getNumOperands() - call.getArgOperands().size();
  return index >= first && index - first < callee.getNumArguments()
             ? resolve(getArgumentDevice(callee, index - first))
             : Topology::kHost;
}

void GraphBuilder::run() {
  for (auto function : module.getOps<FunctionOpInterface>())
    functions[SymbolTable::getSymbolName(function)] = function;
  for (auto function : module.getOps<FunctionOpInterface>())
    addFunction(function);
}

void GraphBuilder::addFunction(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  for (auto [index, argument] : llvm::enumerate(function.getArguments()))
    if (isa<TensorType>(argument.getType()))
      addValue(argument, kNone, resolve(getArgumentDevice(function, index)));
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      addTerminator(op, function);
      return WalkResult::skip();
    }
    addOperation(op);
    return isControlFlow(op) ? WalkResult::advance() : WalkResult::skip();
  });
}

void GraphBuilder::addFixedUse(Value value, DeviceIndex device) {
  if (isa<TensorType>(value.getType()))
    ++graph.getUses(getValue(value), device);
}

void GraphBuilder::addTerminator(Operation *op, FunctionOpInterface function) {
  bool returns = op->getParentOp() == function && op->getNumSuccessors() == 0;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    bool isResult = returns && index < function.getNumResults();
    addFixedUse(operand.get(), isResult
                                   ? resolve(getResultDevice(function, index))
                                   : Topology::kHost);
  }
  // scf.forall's terminator holds operations that insert into its results.
  op->walk([&](Operation *inner) {
    if (inner != op)
      for (Value value : inner->getOperands())
        addFixedUse(value, Topology::kHost);
  });
}

/// Tensors that the body of an operation takes from outside; only the host has
/// operations that do.
void GraphBuilder::addCaptures(Operation *op) {
  if (op->getNumRegions() == 0 || isControlFlow(op) ||
      op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return;
  op->walk([&](Operation *inner) {
    if (inner == op)
      return;
    for (Value value : inner->getOperands())
      if (isa<TensorType>(value.getType()) && indices.count(value))
        addFixedUse(value, Topology::kHost);
  });
}

void GraphBuilder::addOperands(Operation *op, PlacementNode &node) {
  node.readBegin = graph.reads.size();
  llvm::SmallDenseSet<Value, 4> seen;
  PlacementCost cost;
  bool hasCost = false;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (!isa<TensorType>(value.getType()) || !readsOperand(operand))
      continue;
    PlacementConstraint constraint = getOperandConstraint(operand);
    if (constraint == PlacementConstraint::Host)
      addFixedUse(value, getCallDevice(op, operand.getOperandNumber(), false));
    if (constraint != PlacementConstraint::SameAsOp ||
        !seen.insert(value).second)
      continue;
    if (!hasCost) {
      cost = hetero::getPlacementCost(op);
      hasCost = true;
    }
    // An operation whose result is no tensor and that touches less than the
    // tensor needs only what it touches.
    bool isPartial = op->getNumResults() == 1 &&
                     !isa<TensorType>(op->getResult(0).getType()) &&
                     cost.bytes < getTensorBytes(value.getType());
    if (isPartial)
      graph.partialReads.push_back({getValue(value), cost.bytes});
    else
      graph.reads.push_back(getValue(value));
  }
  node.readEnd = graph.reads.size();
}

void GraphBuilder::addOperation(Operation *op) {
  NodeIndex index = graph.nodes.size();
  PlacementNode node;
  node.op = op;
  // A copy by the user is the same value: what it costs is merged with the
  // copies that its users need.
  if (auto copy = dyn_cast<CopyOp>(op)) {
    indices[copy.getResult()] = getValue(copy.getSource());
    graph.nodes.push_back(node);
    return;
  }
  node.replicable = hetero::isReplicable(op);
  addOperands(op, node);
  addCaptures(op);
  // Results that are on the operation's device first, by consecutive numbers.
  node.resultBegin = graph.values.size();
  for (OpResult result : op->getResults())
    if (isa<TensorType>(result.getType()) &&
        getResultConstraint(result) == PlacementConstraint::SameAsOp)
      addValue(result, index, Topology::kHost);
  node.resultEnd = graph.values.size();
  for (OpResult result : op->getResults())
    if (isa<TensorType>(result.getType()) &&
        getResultConstraint(result) != PlacementConstraint::SameAsOp)
      addValue(result, kNone,
               getCallDevice(op, result.getResultNumber(), true));
  graph.nodes.push_back(node);
}

PlacementGraph mlir::hetero::buildPlacementGraph(ModuleOp module,
                                                 const Topology &topology) {
  PlacementGraph graph(topology);
  GraphBuilder(module, graph).run();
  return graph;
}

//===----------------------------------------------------------------------===//
// Price
//===----------------------------------------------------------------------===//

static void addCopy(PlacementPrice &price, const Topology &topology,
                    DeviceIndex from, DeviceIndex to, int64_t bytes) {
  LinkTraffic &link = price.links[from * topology.size() + to];
  int64_t time = topology.getTransferTime(from, to, bytes);
  ++price.copies;
  ++link.copies;
  link.bytes = addTimes(link.bytes, topology.isUnified(from, to) ? 0 : bytes);
  link.time = addTimes(link.time, time);
  price.cost = addTimes(price.cost, time);
}

/// The shortest time of an operation on a device that it may stand on.
static int64_t getBestTime(const PlacementNode &node, const Topology &topology,
                           PlacementCost cost) {
  int64_t best = topology.getComputeTime(node.device, cost);
  std::string reason;
  if (!node.open || node.spec)
    return best;
  for (DeviceIndex device = 0; device < topology.size(); ++device) {
    int64_t time = topology.getComputeTime(device, cost);
    if (time < best && succeeded(canRunOn(node.op, topology, device, reason)))
      best = time;
  }
  return best;
}

PlacementPrice mlir::hetero::computePrice(PlacementGraph &graph) {
  const Topology &topology = graph.topology;
  PlacementPrice price;
  price.links.resize(topology.size() * topology.size());
  price.devices.resize(topology.size());
  for (PlacementNode &node : graph.nodes) {
    if (!isPlaceable(node.op))
      continue;
    DeviceLoad &load = price.devices[node.device];
    PlacementCost cost = hetero::getPlacementCost(node.op);
    int64_t time = topology.getComputeTime(node.device, cost);
    ++load.ops;
    load.time = addTimes(load.time, time);
    price.cost = addTimes(price.cost, time);
    price.lowerBound =
        addTimes(price.lowerBound, getBestTime(node, topology, cost));
  }
  for (ValueIndex value = 0; value < graph.values.size(); ++value) {
    DeviceIndex from = graph.getValueDevice(value);
    for (DeviceIndex to = 0; to < topology.size(); ++to)
      if (to != from && graph.getUses(value, to) != 0 &&
          !graph.isReplicable(value))
        addCopy(price, topology, from, to, graph.values[value].bytes);
  }
  // Where the whole value is copied to the host anyway, no element is.
  for (PartialRead read : graph.partialReads)
    if (DeviceIndex from = graph.getValueDevice(read.value);
        from != Topology::kHost &&
        graph.getUses(read.value, Topology::kHost) == 0)
      addCopy(price, topology, from, Topology::kHost, read.bytes);
  return price;
}
