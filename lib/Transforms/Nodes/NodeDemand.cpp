//===- NodeDemand.cpp - Which nodes need what -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeDemand.h"

#include "Transforms/Buffers/Buffers.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

static int64_t getNode(DeviceAttr device) {
  return device ? device.getNode() : 0;
}

int64_t mlir::hetero::getBufferNode(Value buffer) {
  return getNode(getTypeDevice(buffer.getType()));
}

int64_t NodeDemand::getSender(Value value) const {
  auto it = owners.find(value.getDefiningOp());
  return it == owners.end() ? 0 : it->second;
}

NodeSet NodeDemand::getResultNeeds(FunctionOpInterface function,
                                   unsigned i) const {
  NodeSet all;
  auto it = callers.find(function);
  if (it != callers.end())
    for (Operation *call : it->second)
      all |= getNeeds(call->getResult(i));
  return all;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

void NodeDemand::addFunction(FunctionOpInterface function) {
  if (splitFunctions.insert(function).second)
    functions.push_back(function);
}

/// The function of the module that the operation calls, if what it does may be
/// on several nodes: kernels are work of one.
FunctionOpInterface NodeDemand::findCallee(Operation &op) {
  auto call = dyn_cast<CallOpInterface>(op);
  auto callee = call ? dyn_cast_or_null<FunctionOpInterface>(
                           call.resolveCallableInTable(&symbols))
                     : FunctionOpInterface();
  bool isSplit =
      callee && !callee.isExternal() && !callee->hasAttr(kKernelAttrName);
  return isSplit ? callee : FunctionOpInterface();
}

/// Control flow whose regions may do work of several nodes. Loops of which
/// threads share the iterations are work of a host.
static bool isSplittable(Operation &op) {
  return isa<RegionBranchOpInterface>(op) &&
         !op.hasTrait<OpTrait::HasParallelRegion>();
}

LogicalResult NodeDemand::collectBlock(Block &block) {
  // The node of the host region, if one has begun.
  std::optional<int64_t> region;
  for (Operation &op : block.without_terminator()) {
    if (auto begin = dyn_cast<HostRegionOp>(op))
      region = getNode(begin.getDeviceAttr());
    if (!region && isSplittable(op)) {
      control.insert(&op);
      addControlEdges(op);
      for (Region &inner : op.getRegions())
        for (Block &innerBlock : inner)
          if (failed(collectBlock(innerBlock)))
            return failure();
    } else if (FunctionOpInterface callee =
                   region ? FunctionOpInterface() : findCallee(op)) {
      callees[&op] = callee;
      callers[callee].push_back(&op);
      addFunction(callee);
      addCallEdges(&op, callee);
    } else if (failed(addLeaf(op, region))) {
      return failure();
    }
    if (isa<EndHostRegionOp>(op))
      region.reset();
  }
  addBranchEdges(*block.getTerminator());
  return success();
}

/// The node of the device whose stream the operation is about; none for others.
static std::optional<int64_t> getStreamNode(Operation &op) {
  if (auto wait = dyn_cast<WaitOp>(op))
    return wait.getDevice().getNode();
  if (auto order = dyn_cast<OrderOp>(op))
    return order.getDevice().getNode();
  return std::nullopt;
}

/// All buffers that the operation works on or makes.
static SmallVector<Value> getBuffers(Operation &op) {
  SmallVector<Value> buffers;
  for (Value result : op.getResults())
    if (isa<BaseMemRefType>(result.getType()))
      buffers.push_back(result);
  for (auto [buffer, writes] : getBufferUses(&op))
    if (!isInside(buffer, &op))
      buffers.push_back(buffer);
  return buffers;
}

/// Finds the node of an operation that is work of one, and lets it run there if
/// it does more than make values.
LogicalResult NodeDemand::addLeaf(Operation &op,
                                  std::optional<int64_t> region) {
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    int64_t from = getBufferNode(copy.getSource());
    int64_t to = getBufferNode(copy.getTarget());
    if (from != to) {
      run(&op, from);
      run(&op, to);
      return success();
    }
  }
  std::optional<int64_t> owner = getStreamNode(op);
  for (Value buffer : getBuffers(op)) {
    int64_t node = getBufferNode(buffer);
    if (owner && *owner != node)
      return op.emitOpError("works on memory of node ")
             << *owner << " and of node " << node
             << "; only copies may: insert a memref.copy";
    owner = node;
  }
  bool isPure = isMemoryEffectFree(&op);
  // What a host region computes others get after the region.
  bool isInRegion = region && op.getNumOperands() != 0;
  if (!owner && isPure && !isInRegion)
    return success();
  owners[&op] = owner ? *owner : region.value_or(0);
  if (!isPure && !isa<memref::AllocOp>(op))
    run(&op, owners[&op]);
  return success();
}

//===----------------------------------------------------------------------===//
// What control flow passes on
//===----------------------------------------------------------------------===//

void NodeDemand::addForwarded(OpOperand &operand, Value target) {
  forwarded.insert(&operand);
  sources[target].push_back(operand.get());
}

void NodeDemand::addControlEdges(Operation &op) {
  RegionBranchInverseSuccessorMapping inputs;
  cast<RegionBranchOpInterface>(op).getSuccessorInputOperandMapping(inputs);
  for (auto &[input, operands] : inputs)
    for (OpOperand *operand : operands)
      addForwarded(*operand, input);
}

void NodeDemand::addBranchEdges(Operation &terminator) {
  auto branch = dyn_cast<BranchOpInterface>(terminator);
  if (!branch)
    return;
  for (auto [index, block] : llvm::enumerate(terminator.getSuccessors())) {
    SuccessorOperands operands = branch.getSuccessorOperands(index);
    for (unsigned i = operands.getProducedOperandCount(); i < operands.size();
         ++i)
      addForwarded(terminator.getOpOperand(operands.getOperandIndex(i)),
                   block->getArgument(i));
  }
}

/// The operations with which a function returns.
static SmallVector<Operation *> getReturns(FunctionOpInterface function) {
  SmallVector<Operation *> returns;
  for (Block &block : function.getFunctionBody())
    if (block.getTerminator()->getNumSuccessors() == 0)
      returns.push_back(block.getTerminator());
  return returns;
}

void NodeDemand::addCallEdges(Operation *call, FunctionOpInterface callee) {
  for (auto [operand, argument] :
       llvm::zip_equal(call->getOpOperands(), callee.getArguments()))
    addForwarded(operand, argument);
  for (Operation *end : getReturns(callee))
    for (auto [operand, result] :
         llvm::zip_equal(end->getOpOperands(), call->getResults()))
      addForwarded(operand, result);
}

//===----------------------------------------------------------------------===//
// Propagation
//===----------------------------------------------------------------------===//

void NodeDemand::run(Operation *op, int64_t node) {
  if (nodes[op].test_and_set(node))
    pendingRuns.push_back({op, node});
}

void NodeDemand::need(Value value, int64_t node) {
  // What is in another node's memory is not for this one.
  if (isa<BaseMemRefType>(value.getType()) && getBufferNode(value) != node)
    return;
  if (needs[value].test_and_set(node))
    pendingNeeds.push_back({value, node});
}

/// What a node needs for an operation that it runs.
void NodeDemand::propagateRun(Operation *op, int64_t node) {
  bool isFunction = isa<FunctionOpInterface>(op);
  if (!isFunction)
    run(op->getParentOp(), node);
  if (isFunction || control.contains(op))
    for (Region &region : op->getRegions())
      for (Block &block : region)
        run(block.getTerminator(), node);
  for (Operation *call : callers.lookup(op))
    run(call, node);
  if (FunctionOpInterface callee = callees.lookup(op))
    run(callee, node);
  for (OpOperand &operand : op->getOpOperands())
    if (!forwarded.contains(&operand))
      need(operand.get(), node);
  if (isFunction || control.contains(op))
    return;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    need(value, node);
}

/// The node gets a value that another one has; `around` has its block.
LogicalResult NodeDemand::receive(Value value, Operation *around,
                                  int64_t node) {
  Type type = value.getType();
  if (!type.isIntOrIndexOrFloat() && !isa<ComplexType>(type))
    return emitError(value.getLoc())
           << "expected a number or a buffer where another node needs a value, "
              "got "
           << type << "; let node " << node << " compute it";
  receivers[value].set(node);
  run(around, node);
  return success();
}

/// Where a node has a value from that it needs.
LogicalResult NodeDemand::propagateNeed(Value value, int64_t node) {
  auto it = sources.find(value);
  if (it != sources.end())
    for (Value source : it->second)
      need(source, node);
  if (isa<BlockArgument>(value)) {
    Operation *parent = value.getParentBlock()->getParentOp();
    auto function = dyn_cast<FunctionOpInterface>(parent);
    bool isInput = function && function.isPublic() &&
                   value.getParentBlock()->isEntryBlock();
    if (isInput && node != 0)
      return receive(value, parent, node);
    run(parent, node);
    return success();
  }
  Operation *op = value.getDefiningOp();
  auto owner = owners.find(op);
  bool hasOwner = owner != owners.end();
  run(op, hasOwner ? owner->second : node);
  if (hasOwner && owner->second != node)
    return receive(value, op->getParentOp(), node);
  return success();
}

LogicalResult NodeDemand::run() {
  for (auto function : module.getOps<FunctionOpInterface>())
    if (function.isPublic() && !function.isExternal())
      addFunction(function);
  for (unsigned i = 0; i < functions.size(); ++i)
    for (Block &block : functions[i].getFunctionBody())
      if (failed(collectBlock(block)))
        return failure();
  for (FunctionOpInterface function : functions) {
    if (!function.isPublic())
      continue;
    run(function, 0);
    for (Operation *end : getReturns(function))
      for (OpOperand &operand : end->getOpOperands()) {
        forwarded.insert(&operand);
        need(operand.get(), 0);
      }
  }
  while (!pendingRuns.empty() || !pendingNeeds.empty()) {
    while (!pendingRuns.empty()) {
      auto [op, node] = pendingRuns.pop_back_val();
      propagateRun(op, node);
    }
    if (pendingNeeds.empty())
      break;
    auto [value, node] = pendingNeeds.pop_back_val();
    if (failed(propagateNeed(value, node)))
      return failure();
  }
  return success();
}
