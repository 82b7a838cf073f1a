//===- CarriedValues.cpp - Values that control flow carries ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loop, a branch or a call carries is a value of its own, which can be
// on any device. Everything that becomes it (inits, yielded operands, operands
// of branches, arguments of calls) is needed where it is, and it is there under
// all its names. So a node that takes no time reads the former and makes the
// latter, and the choice of its device is like that of any operation.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/CarriedDevices.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

bool GraphBuilder::canCarry(Type type, DeviceIndex device) const {
  if (device == Topology::kHost)
    return true;
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !isParallel && tensor.getElementType().isIntOrFloat() &&
         (!tensor.getEncoding() || getTypeDevice(tensor)) &&
         topology.supportsType(device, tensor.getElementType());
}

NodeIndex GraphBuilder::addCarrier(Type type, BlockIndex block) {
  PlacementNode node;
  node.op = nullptr;
  node.block = block;
  node.isTimed = true;
  graph.nodes.push_back(node);
  for (DeviceIndex device : graph.representatives)
    graph.times.push_back(canCarry(type, device) ? 0 : kNever);
  return graph.nodes.size() - 1;
}

void GraphBuilder::addRead(NodeIndex carrier, Value value) {
  graph.carrierReads.push_back({unsigned(graph.reads.size()), getLastNode()});
  graph.reads.push_back({carrier, getValue(value), blockIndex});
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

namespace {
/// An operand of control flow, or of what ends its blocks, and what it becomes.
struct CarriedOperand {
  OpOperand *operand;
  Value input;
};
} // namespace

static SmallVector<CarriedOperand>
collectCarriedOperands(RegionBranchOpInterface op) {
  SmallVector<CarriedOperand> carried;
  for (RegionBranchPoint point : op.getAllRegionBranchPoints()) {
    auto terminator = dyn_cast_or_null<RegionBranchTerminatorOpInterface>(
        point.getTerminatorPredecessorOrNull());
    if (!point.isParent() && !terminator)
      continue;
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(point, successors);
    for (RegionSuccessor successor : successors) {
      OperandRange operands = point.isParent()
                                  ? op.getEntrySuccessorOperands(successor)
                                  : terminator.getSuccessorOperands(successor);
      Operation *owner =
          point.isParent() ? op.getOperation() : terminator.getOperation();
      for (auto [index, input] :
           llvm::enumerate(successor.getSuccessorInputs()))
        if (isa<TensorType>(input.getType()) && index < operands.size())
          carried.push_back(
              {&owner->getOpOperand(operands.getBeginOperandIndex() + index),
               input});
    }
  }
  return carried;
}

/// Names that one operand becomes are one value, and so are its names.
void GraphBuilder::addControlFlow(Operation *op) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch || isParallel || op->hasTrait<OpTrait::HasParallelRegion>())
    return;
  SmallVector<CarriedOperand> operands = collectCarriedOperands(branch);
  if (operands.empty())
    return;
  llvm::SmallDenseMap<void *, unsigned, 16> names, first;
  llvm::IntEqClasses classes(operands.size());
  for (const CarriedOperand &carried : operands) {
    unsigned name =
        names.try_emplace(carried.input.getAsOpaquePointer(), names.size())
            .first->second;
    classes.join(first.try_emplace(carried.operand, name).first->second, name);
  }
  SmallVector<NodeIndex, 16> nodes(names.size(), kNone);
  for (const CarriedOperand &carried : operands) {
    unsigned name = names.lookup(carried.input.getAsOpaquePointer());
    NodeIndex &node = nodes[classes.findLeader(name)];
    if (node == kNone)
      node = addCarrier(carried.input.getType(), blockIndex);
    carriers[carried.operand] = node;
    if (!indices.count(carried.input))
      addValue(carried.input, node, Topology::kHost);
  }
  auto getNode = [&](Value value) -> NodeIndex {
    auto it = indices.find(value);
    return it == indices.end() ? kNone : graph.values[it->second].producer;
  };
  CarriedValues carried{op, {}, {}, {}};
  for (Value result : op->getResults())
    carried.results.push_back(getNode(result));
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    for (BlockArgument argument : loop.getRegionIterArgs())
      carried.inits.push_back(getTiedResult(argument) ? kNone
                                                      : getNode(argument));
  graph.carried.push_back(std::move(carried));
}

/// The arguments of blocks that branches lead to.
void GraphBuilder::addBlockArguments(Region &region) {
  CarriedValues carried{region.getParentOp(), {}, {}, {}};
  for (Block &next : llvm::drop_begin(region)) {
    SmallVector<NodeIndex> &nodes = carried.blocks.emplace_back();
    for (BlockArgument argument : next.getArguments()) {
      nodes.push_back(kNone);
      if (!isa<TensorType>(argument.getType()))
        continue;
      nodes.back() = addCarrier(argument.getType(), graph.tree.lookup(&next));
      addValue(argument, nodes.back(), Topology::kHost);
    }
  }
  graph.carried.push_back(std::move(carried));
}

void GraphBuilder::markBranchOperands(Operation *terminator) {
  auto branch = dyn_cast<BranchOpInterface>(terminator);
  if (!branch)
    return;
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    for (BlockArgument argument : branch->getSuccessor(i)->getArguments()) {
      auto it = indices.find(argument);
      unsigned index = argument.getArgNumber();
      if (it == indices.end() || operands.isOperandProduced(index))
        continue;
      OpOperand &operand =
          branch->getOpOperand(operands.getOperandIndex(index));
      carriers[&operand] = graph.values[it->second].producer;
    }
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void GraphBuilder::markCallOperands(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  CarriedValues *signature = call ? getSignature(op) : nullptr;
  if (!signature)
    return;
  for (auto [index, operand] : llvm::enumerate(call.getArgOperandsMutable()))
    if (signature->inits[index] != kNone)
      carriers[&operand] = signature->inits[index];
}

FunctionOpInterface GraphBuilder::getCallee(CallOpInterface call) const {
  auto symbol = dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
  return symbol ? functions.lookup(symbol.getLeafReference())
                : FunctionOpInterface();
}

/// Functions whose calls are all known: the signature is open, but for what is
/// annotated.
void GraphBuilder::addSignatures() {
  if (!hasPrivateFunctions(module))
    return;
  llvm::DenseMap<Operation *, unsigned> numCalls;
  module.walk([&](CallOpInterface call) {
    if (FunctionOpInterface callee = getCallee(call))
      ++numCalls[callee];
  });
  if (numCalls.empty())
    return;
  llvm::DenseMap<Operation *, unsigned> numUses;
  if (auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion()))
    for (const SymbolTable::SymbolUse &use : *uses)
      ++numUses[functions.lookup(use.getSymbolRef().getLeafReference())];
  for (auto function : module.getOps<FunctionOpInterface>()) {
    bool isPrivate = SymbolTable::getSymbolVisibility(function) ==
                     SymbolTable::Visibility::Private;
    if (!isPrivate || function.isExternal() || numCalls.lookup(function) == 0 ||
        numCalls.lookup(function) != numUses.lookup(function))
      continue;
    BlockIndex entry = graph.tree.lookup(&function.getFunctionBody().front());
    CarriedValues carried{function, {}, {}, {}};
    auto getNode = [&](Type type, DeviceAttr device) -> NodeIndex {
      return !isa<TensorType>(type) || device ? kNone : addCarrier(type, entry);
    };
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
      carried.inits.push_back(
          getNode(type, getArgumentDevice(function, index)));
    for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
      carried.results.push_back(
          getNode(type, hetero::getResultDevice(function, index)));
    signatures[function] = graph.carried.size();
    graph.carried.push_back(std::move(carried));
  }
}

CarriedValues *GraphBuilder::getSignature(Operation *op) {
  Operation *function = op;
  if (auto call = dyn_cast<CallOpInterface>(op))
    function = getCallee(call);
  auto it = signatures.find(function);
  return it == signatures.end() ? nullptr : &graph.carried[it->second];
}

void GraphBuilder::addArguments(FunctionOpInterface function) {
  CarriedValues *signature = getSignature(function);
  for (auto [index, argument] : llvm::enumerate(function.getArguments()))
    if (isa<TensorType>(argument.getType()))
      graph.arguments.push_back(
          addValue(argument, signature ? signature->inits[index] : kNone,
                   resolve(getArgumentDevice(function, index))));
}

/// Where the callee's signature wants an argument or gives a result.
DeviceIndex GraphBuilder::getCallDevice(Operation *op, unsigned index,
                                        bool isResult) {
  auto call = dyn_cast<CallOpInterface>(op);
  FunctionOpInterface callee = call ? getCallee(call) : FunctionOpInterface();
  if (!callee)
    return Topology::kHost;
  if (isResult)
    return index < callee.getNumResults()
               ? resolve(getResultDevice(callee, index))
               : Topology::kHost;
  return index < callee.getNumArguments()
             ? resolve(getArgumentDevice(callee, index))
             : Topology::kHost;
}
