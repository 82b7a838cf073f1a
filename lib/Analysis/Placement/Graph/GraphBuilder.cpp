//===- GraphBuilder.cpp - Makes the graph of a module ---------------------===//
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

#include "GraphBuilder.h"

#include "hetero/Analysis/Placement/MachineCosts.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"

using namespace mlir;
using namespace mlir::hetero;

ValueIndex GraphBuilder::addValue(Value value, NodeIndex producer,
                                  DeviceIndex device) {
  ValueIndex index = graph.values.size();
  indices[value] = index;
  Block *definition = value.getParentBlock();
  // Other nodes do not address the memory, so that its bytes move between them.
  bool isFree = isInUnifiedMemory(value) && !topology.hasNodes();
  graph.values.push_back(
      {producer, device,
       definition == block ? blockIndex : graph.tree.lookup(definition),
       NodeIndex(graph.nodes.size()),
       isFree ? 0 : graph.sizes.getBytes(value)});
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

void GraphBuilder::run() {
  // Most operations have one result.
  unsigned expected = graph.tree.getNumOperations();
  graph.nodes.reserve(expected);
  // What was measured may be of one device.
  if (!profile)
    graph.classifyDevices();
  graph.times.reserve(size_t(expected) * graph.representatives.size());
  graph.values.reserve(expected);
  graph.reads.reserve(size_t(expected) * 3);
  graph.carried.reserve(graph.tree.size());
  indices.reserve(expected);
  for (auto function : module.getOps<FunctionOpInterface>())
    functions[SymbolTable::getSymbolName(function)] = function;
  addSignatures();
  for (auto function : module.getOps<FunctionOpInterface>())
    addFunction(function);
  group();
}

void GraphBuilder::enter(Block *newBlock) {
  block = newBlock;
  blockIndex = graph.tree.lookup(block);
  isParallel = !block->empty() && isInParallelRegion(&block->front());
}

void GraphBuilder::addFunction(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  Region &body = function.getFunctionBody();
  enter(&body.front());
  addArguments(function);
  if (!body.hasOneBlock())
    addBlockArguments(body);
  // Operations that are placed one by one, outer ones first.
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    if (op->getBlock() != block)
      enter(op->getBlock());
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      addTerminator(op, function);
      return WalkResult::skip();
    }
    bool isControl = isControlFlow(op);
    addOperation(op, isControl);
    return isControl ? WalkResult::advance() : WalkResult::skip();
  });
}

void GraphBuilder::addFixedUse(Value value, DeviceIndex device) {
  if (isa<TensorType>(value.getType()))
    graph.fixedUses.push_back(
        {getValue(value), device, blockIndex, getLastNode()});
}

void GraphBuilder::addTerminator(Operation *op, FunctionOpInterface function) {
  bool returns = op->getParentOp() == function && op->getNumSuccessors() == 0;
  CarriedValues *signature = returns ? getSignature(function) : nullptr;
  if (!op->getDiscardableAttrDictionary().empty())
    graph.idlyAnnotated.push_back(op);
  markBranchOperands(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType()))
      continue;
    unsigned index = operand.getOperandNumber();
    bool isResult = returns && index < function.getNumResults();
    NodeIndex carrier = getCarrier(operand);
    if (isResult && signature)
      carrier = signature->results[index];
    if (carrier != kNone)
      addRead(carrier, operand.get());
    else
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

/// What is in the body of an operation that is placed as a whole: tensors that
/// it takes from outside, which are fixed where only the host can run it, and
/// annotations.
void GraphBuilder::addBody(Operation *op, bool needsHost) {
  bool isAnnotated = false;
  auto add = [&](Operation *inner) {
    isAnnotated |= !inner->getDiscardableAttrDictionary().empty();
    if (!needsHost)
      return;
    for (Value value : inner->getOperands())
      if (isa<TensorType>(value.getType()) && indices.count(value))
        addFixedUse(value, Topology::kHost);
  };
  for (Region &region : op->getRegions())
    for (Block &body : region)
      for (Operation &inner : body) {
        add(&inner);
        if (inner.getNumRegions() != 0)
          inner.walk([&](Operation *nested) {
            if (nested != &inner)
              add(nested);
          });
      }
  if (isAnnotated)
    graph.idlyAnnotated.push_back(op);
}

/// Operands of a call before its arguments.
static unsigned numOtherOperands(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  return call ? op->getNumOperands() - call.getArgOperands().size() : 0;
}

/// Where an operation `carries` some of its operands, these have carriers.
void GraphBuilder::addOperands(Operation *op, PlacementOpInterface model,
                               const PlacementCost &cost, bool carries) {
  NodeIndex node = graph.nodes.size() - 1;
  unsigned begin = graph.reads.size();
  // An operation whose result is no tensor and that touches less than the
  // tensor needs only what it touches.
  bool hasScalarResult =
      op->getNumResults() == 1 && !isa<TensorType>(op->getResult(0).getType());
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    unsigned number = operand.getOperandNumber();
    if (!isa<TensorType>(value.getType()) ||
        (model && !model.readsOperand(number)))
      continue;
    if (NodeIndex carrier = carries ? getCarrier(operand) : kNone;
        carrier != kNone) {
      addRead(carrier, value);
      continue;
    }
    PlacementConstraint constraint =
        model ? model.getOperandConstraint(number) : PlacementConstraint::Host;
    if (constraint == PlacementConstraint::Host)
      addFixedUse(value,
                  getCallDevice(op, number - numOtherOperands(op), false));
    if (constraint != PlacementConstraint::SameAsOp)
      continue;
    ValueIndex index = getValue(value);
    if (hasScalarResult && cost.bytes < graph.values[index].bytes)
      graph.partialReads.push_back({index, blockIndex, node, cost.bytes});
    else if (llvm::none_of(ArrayRef(graph.reads).drop_front(begin),
                           [&](const PlacementRead &read) {
                             return read.value == index;
                           }))
      graph.reads.push_back({node, index, blockIndex});
  }
}

/// Times of the operation on each device, for the rest of the analysis. True if
/// devices of every kind can run it.
bool GraphBuilder::addTimes(Operation *op, const PlacementCost &cost) {
  std::string reason;
  StringRef lastKind;
  bool lastCan = false, allCan = true;
  bool isForHost = isParallel || makesScalars(op);
  for (DeviceIndex device : graph.representatives) {
    StringRef kind = topology.getDevice(device).getKind();
    if (device == 0 || kind != lastKind) {
      lastCan = succeeded(
          hetero::canRunOn(op, kind, topology.getKind(device), reason));
      lastKind = kind;
      allCan &= lastCan;
    }
    bool can = lastCan && (device == Topology::kHost || !isForHost) &&
               hasElementsOf(op, topology, device);
    graph.times.push_back(
        can ? addPossibleTimes(
                  graph.tree.scale(
                      estimateTime(op, topology, device, cost, profile)
                          .picoseconds,
                      blockIndex),
                  0)
            : kNever);
  }
  return allCan;
}

/// Results that are where the operation runs, that a call carries, or that are
/// on a device in any case. Those of control flow are there already.
void GraphBuilder::addResults(Operation *op, PlacementOpInterface model,
                              NodeIndex node, bool isControl) {
  for (OpResult result : op->getResults()) {
    if (!isa<TensorType>(result.getType()) ||
        (isControl && indices.count(result)))
      continue;
    unsigned number = result.getResultNumber();
    if (model &&
        model.getResultConstraint(number) == PlacementConstraint::SameAsOp) {
      addValue(result, node, Topology::kHost);
      continue;
    }
    CarriedValues *signature =
        isa<CallOpInterface>(op) ? getSignature(op) : nullptr;
    addValue(result, signature ? signature->results[number] : kNone,
             getCallDevice(op, number, true));
  }
}

void GraphBuilder::addState(NodeIndex node, SymbolRefAttr name) {
  Operation *state = symbols.lookupSymbolIn(module, name);
  if (!state || !graph.nodes[node].isTimed)
    return;
  graph.states[node] = state;
  if (graph.colocated.empty() || graph.colocated.back() != node)
    graph.colocated.push_back(node);
}

void GraphBuilder::addOperation(Operation *op, bool isControl) {
  PlacementNode node;
  node.op = op;
  node.block = blockIndex;
  node.isControl = isControl;
  node.spec = dyn_cast_or_null<DeviceAttr>(op->getDiscardableAttr(deviceName));
  graph.numAnnotated += bool(node.spec);
  // A copy by the user is the same value: what it costs is merged with the
  // copies that its users need.
  if (auto copy = dyn_cast<CopyOp>(op)) {
    ValueIndex source = getValue(copy.getSource());
    indices[copy.getResult()] = source;
    node.isCopy = true;
    graph.copySources[graph.nodes.size()] = source;
    graph.nodes.push_back(node);
    graph.times.append(graph.representatives.size(), kNever);
    return;
  }
  bool isCall = !signatures.empty() && isa<CallOpInterface>(op);
  if (isControl) {
    addControlFlow(op);
    for (Region &region : op->getRegions())
      if (!region.empty() && !region.hasOneBlock())
        addBlockArguments(region);
  } else if (isCall) {
    markCallOperands(op);
  }
  node.isTimed = !isControl && isPlaceable(op);
  PlacementCost cost;
  auto model = dyn_cast<PlacementOpInterface>(op);
  NodeIndex index = graph.nodes.size();
  graph.nodes.push_back(node);
  if (op->getDiscardableAttr(colocateName))
    graph.colocated.push_back(index);
  if (SymbolRefAttr state = model ? model.getState() : SymbolRefAttr())
    addState(index, state);
  if (node.isTimed) {
    // What an annotated operation costs decides nothing, unless it needs only
    // a part of its operands (those without tensors as results).
    bool isSettled = node.spec && node.spec.hasOrdinal() && !pricesSettled &&
                     op->getNumResults() != 0 &&
                     isa<TensorType>(op->getResult(0).getType());
    if (!isSettled)
      cost = model.getPlacementCost(graph.sizes);
    bool runsOnEveryKind = addTimes(op, cost);
    graph.nodes.back().canReplicate =
        ((runsOnEveryKind || isNoWork(op)) && isRepeatable(op)) ||
        op->getDiscardableAttr(repeatedName);
  } else {
    graph.nodes.back().hasTensors = hasTensors(op);
    graph.times.append(graph.representatives.size(), kNever);
  }
  addOperands(op, model, cost, isControl || isCall);
  if (auto execute = dyn_cast<ExecuteOp>(op))
    graph.nodes[index].spec = execute.getDevice();
  else if (op->getNumRegions() != 0 && !isControl)
    addBody(op, llvm::all_of(ArrayRef(graph.times)
                                 .take_back(graph.representatives.size())
                                 .drop_front(),
                             [](int64_t time) { return time == kNever; }));
  addResults(op, model, index, isControl);
}

void GraphBuilder::group() {
  unsigned numValues = graph.values.size();
  graph.groupByNode();
  graph.readsOfValue.build(graph.reads.size(), numValues,
                           [&](unsigned i) { return graph.reads[i].value; });
  graph.fixedUsesOfValue.build(
      graph.fixedUses.size(), numValues,
      [&](unsigned i) { return graph.fixedUses[i].value; });
  graph.partialReadsOfValue.build(
      graph.partialReads.size(), numValues,
      [&](unsigned i) { return graph.partialReads[i].value; });
}

PlacementGraph mlir::hetero::buildPlacementGraph(ModuleOp module,
                                                 const Topology &topology,
                                                 const BlockTree &tree,
                                                 Profile *profile,
                                                 bool pricesSettled) {
  PlacementGraph graph(topology, tree, TensorSizes(module));
  GraphBuilder(module, graph, profile, pricesSettled).run();
  return graph;
}
