//===- LiveOperations.cpp - What results depend on ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Blocks/LiveOperations.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

LiveOperations::LiveOperations(ModuleOp module) {
  findTrimmable(module);
  for (auto function : module.getOps<FunctionOpInterface>())
    for (Block &block : function.getFunctionBody())
      need(block.getTerminator());
  for (auto function : module.getOps<FunctionOpInterface>())
    addRoots(function.getFunctionBody());
  while (!pendingOperations.empty() || !pendingValues.empty()) {
    if (!pendingValues.empty())
      needSources(pendingValues.pop_back_val());
    else
      needOperands(pendingOperations.pop_back_val());
  }
}

void LiveOperations::findTrimmable(ModuleOp module) {
  bool hasEntry = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    hasEntry |= function.isPublic();
    if (function.isPrivate() && !function.isExternal())
      trimmable[function];
  }
  // A module without public functions is there for its private ones.
  if (!hasEntry)
    trimmable.clear();
  if (trimmable.empty())
    return;
  auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return trimmable.clear();
  for (SymbolTable::SymbolUse use : *uses) {
    Operation *function = symbols.lookupSymbolIn(module, use.getSymbolRef());
    auto *it = trimmable.find(function);
    if (it == trimmable.end())
      continue;
    if (auto call = dyn_cast<func::CallOp>(use.getUser()))
      it->second.push_back(call);
    else
      trimmable.erase(it);
  }
  trimmable.remove_if([](auto &entry) { return entry.second.empty(); });
}

Operation *LiveOperations::getCallee(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  Operation *callee = call ? call.resolveCallableInTable(&symbols) : nullptr;
  return callee && trimmable.contains(callee) ? callee : nullptr;
}

bool LiveOperations::isResultLive(Operation *function, unsigned index) const {
  return llvm::any_of(trimmable.find(function)->second, [&](func::CallOp call) {
    return isLive(Value(call.getResult(index)));
  });
}

bool LiveOperations::carries(Operation *op) {
  return isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::IndexSwitchOp,
             scf::ExecuteRegionOp>(op);
}

bool LiveOperations::isEntered(Operation *op) { return isControlFlow(op); }

bool LiveOperations::mayDropArguments(Block &block) {
  for (auto it = block.pred_begin(); it != block.pred_end(); ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    // Operands that the branch produces itself cannot be left out.
    if (!branch || branch.getSuccessorOperands(it.getSuccessorIndex())
                           .getProducedOperandCount() != 0)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// True if the function does nothing but to compute its results.
bool LiveOperations::isPure(FunctionOpInterface function) {
  auto [it, isNew] = pure.try_emplace(function, false);
  if (!isNew)
    return it->second; // False while it is looked at: recursion may not end.
  bool isFree = !function.isExternal() &&
                !function.getFunctionBody()
                     .walk([&](Operation *op) {
                       bool isEnd = op->hasTrait<OpTrait::IsTerminator>();
                       return !isEnd && hasEffects(op) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
                     })
                     .wasInterrupted();
  return pure[function] = isFree;
}

/// True if something besides its results depends on the operation; of control
/// flow, the operations inside are asked.
bool LiveOperations::hasEffects(Operation *op) {
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    return !callee || !isPure(callee);
  }
  return !carries(op) && !wouldOpBeTriviallyDead(op);
}

void LiveOperations::addRoots(Region &region) {
  for (Block &block : region)
    for (Operation &op : block) {
      if (!op.hasTrait<OpTrait::IsTerminator>() && hasEffects(&op))
        need(&op);
      if (isEntered(&op))
        for (Region &inner : op.getRegions())
          addRoots(inner);
    }
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

void LiveOperations::need(Operation *op) {
  if (operations.insert(op).second)
    pendingOperations.push_back(op);
}

void LiveOperations::need(Value value) {
  if (isCarried(value)) {
    if (values.insert(value).second)
      pendingValues.push_back(value);
  } else if (Operation *op = value.getDefiningOp()) {
    need(op);
  }
}

bool LiveOperations::isCarried(Value value) {
  if (Operation *op = value.getDefiningOp())
    return carries(op) || getCallee(op);
  Block *block = cast<BlockArgument>(value).getOwner();
  return !block->isEntryBlock() || carries(block->getParentOp()) ||
         trimmable.contains(block->getParentOp());
}

/// Marks the operands that a call returns or passes.
void LiveOperations::needFromCalls(Value carried) {
  if (auto result = dyn_cast<OpResult>(carried)) {
    need(result.getOwner());
    auto function = cast<func::FuncOp>(getCallee(result.getOwner()));
    for (Block &block : function.getBody())
      if (auto end = dyn_cast<func::ReturnOp>(block.getTerminator()))
        need(end.getOperand(result.getResultNumber()));
    return;
  }
  auto argument = cast<BlockArgument>(carried);
  for (func::CallOp call :
       trimmable.find(argument.getOwner()->getParentOp())->second)
    if (isLive(call.getOperation()))
      need(call.getOperand(argument.getArgNumber()));
}

/// All that hands its value to what is carried.
void LiveOperations::needSources(Value carried) {
  auto argument = dyn_cast<BlockArgument>(carried);
  if (argument && !argument.getOwner()->isEntryBlock()) {
    Block *block = argument.getOwner();
    for (auto it = block->pred_begin(); it != block->pred_end(); ++it)
      if (auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator()))
        if (Value source = branch.getSuccessorOperands(
                it.getSuccessorIndex())[argument.getArgNumber()])
          need(source);
    return;
  }
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : carried.getDefiningOp();
  if (!carries(op))
    return needFromCalls(carried);
  need(op);
  for (OpOperand *operand : getMapping(op).lookup(carried))
    need(operand->get());
}

const RegionBranchInverseSuccessorMapping &
LiveOperations::getMapping(Operation *op) {
  auto [it, isNew] = mappings.try_emplace(op);
  if (isNew) {
    cast<RegionBranchOpInterface>(op).getSuccessorInputOperandMapping(
        it->second);
    for (auto &[input, operands] : it->second)
      passedOn.insert(operands.begin(), operands.end());
  }
  return it->second;
}

/// True if the operand is needed only where the value it becomes is.
bool LiveOperations::isPassedOn(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    std::optional<BlockArgument> argument =
        branch.getSuccessorBlockArgument(operand.getOperandNumber());
    return argument && mayDropArguments(*argument->getOwner());
  }
  if (Operation *function = getCallee(op))
    return !isLive(Value(
        cast<func::FuncOp>(function).getArgument(operand.getOperandNumber())));
  if (isa<func::ReturnOp>(op))
    return trimmable.contains(op->getParentOp());
  bool isEnd = op->hasTrait<OpTrait::IsTerminator>();
  Operation *carrier = isEnd ? op->getParentOp() : op;
  if (!carries(carrier))
    return false;
  getMapping(carrier);
  return passedOn.contains(&operand);
}

void LiveOperations::needOperands(Operation *op) {
  Operation *parent = op->getParentOp();
  if (!isa<FunctionOpInterface>(parent))
    need(parent);
  for (OpOperand &operand : op->getOpOperands())
    if (!isPassedOn(operand))
      need(operand.get());
  if (isEntered(op))
    needTerminators(op);
  else
    needNested(op);
}

void LiveOperations::needTerminators(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator())
        need(block.getTerminator());
}

/// Marks the outside values that the body of an operation reads.
void LiveOperations::needNested(Operation *op) {
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentRegion()->getParentOp()))
          need(operand);
    });
}
