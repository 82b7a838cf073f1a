//===- DeviceConstraints.cpp - Where values must be -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Placement/DeviceConstraints.h"

#include "hetero/Dialect/Hetero/IR/CarriedDevices.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ParallelCombiningOpInterface.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// What the names of operations say
//===----------------------------------------------------------------------===//

namespace {
/// What follows from the name of an operation, as bits.
enum Trait : unsigned {
  HoldsFunctions = 1, // a module or a function
  ControlFlow = 2,    // if it has regions
  Terminator = 4,
  Call = 8,
  Return = 16,
  Copy = 32
};
} // namespace

static unsigned findTraits(Operation *op) {
  unsigned traits = 0;
  auto add = [&](Trait trait, bool holds) { traits |= holds ? trait : 0; };
  add(HoldsFunctions, isa<ModuleOp, FunctionOpInterface>(op));
  add(ControlFlow, isa<RegionBranchOpInterface, LoopLikeOpInterface>(op) &&
                       !isa<ExecuteOp>(op));
  add(Terminator, op->hasTrait<OpTrait::IsTerminator>());
  add(Call, isa<CallOpInterface>(op));
  add(Return, op->hasTrait<OpTrait::ReturnLike>());
  add(Copy, isa<CopyOp>(op));
  return traits;
}

static bool hasPlacedRegions(Operation *op, unsigned traits) {
  // scf.forall ends with a terminator that has a region of its own.
  return (traits & HoldsFunctions) ||
         ((traits & (ControlFlow | Terminator)) && op->getNumRegions() != 0);
}

unsigned DeviceConstraints::getTraits(Operation *op) {
  auto [it, isNew] = traits.try_emplace(op->getName(), 0);
  if (isNew)
    it->second = findTraits(op);
  return it->second;
}

bool mlir::hetero::hasPlacedRegions(Operation *op) {
  return op->getNumRegions() != 0 && ::hasPlacedRegions(op, findTraits(op));
}

bool DeviceConstraints::hasPlacedRegions(Operation *op) {
  return op->getNumRegions() != 0 && ::hasPlacedRegions(op, getTraits(op));
}

/// True for operations that run on the host whatever they say.
bool DeviceConstraints::isHostOnly(Operation *op) {
  unsigned traits = getTraits(op);
  if ((traits & (Terminator | Call)) || ::hasPlacedRegions(op, traits))
    return true;
  Operation *parent = op->getParentOp();
  return parent && (getTraits(parent) & Terminator);
}

//===----------------------------------------------------------------------===//
// Where operations run
//===----------------------------------------------------------------------===//

DeviceAttr DeviceConstraints::getTypeDevice(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.getEncoding() ? host : hetero::getTypeDevice(type);
}

DeviceAttr DeviceConstraints::getDevice(Operation *op) {
  return dyn_cast_or_null<DeviceAttr>(op->getDiscardableAttr(deviceName));
}

/// The device of the first tensor that must be where the operation runs and is
/// not on the host; null if there is none.
static DeviceAttr getDeviceOfTypes(Operation *op) {
  auto getDevice = [](Type type) -> DeviceAttr {
    DeviceAttr device = isa<TensorType>(type) ? getTypeDevice(type) : nullptr;
    return device && !device.isHost() ? device : nullptr;
  };
  for (OpResult result : op->getResults())
    if (DeviceAttr device = getDevice(result.getType()))
      return device;
  for (OpOperand &operand : op->getOpOperands())
    if (getOperandConstraint(operand) == PlacementConstraint::SameAsOp)
      if (DeviceAttr device = getDevice(operand.get().getType()))
        return device;
  return {};
}

DeviceAttr DeviceConstraints::getRunDevice(Operation *op) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getResultDevice();
  return isHostOnly(op) ? host : getPlacedDevice(op);
}

DeviceAttr DeviceConstraints::getPlacedDevice(Operation *op) {
  if (auto execute = dyn_cast<ExecuteOp>(op))
    return execute.getDevice();
  if (DeviceAttr device = getDevice(op))
    return device;
  return getDeviceOfTypes(op);
}

DeviceAttr mlir::hetero::getRunDevice(Operation *op) {
  return DeviceConstraints(op->getContext()).getRunDevice(op);
}

/// The function that a call calls directly, or null.
static FunctionOpInterface getCallee(CallOpInterface call,
                                     SymbolTableCollection &symbols) {
  auto symbol =
      llvm::dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return {};
  return dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(call, symbol));
}

/// The device in entry `index` of a signature, else the host.
static DeviceAttr getSignatureDevice(ArrayRef<Type> types, unsigned index,
                                     DeviceAttr host) {
  DeviceAttr device;
  if (index < types.size())
    device = getTypeDevice(types[index]);
  return device ? device : host;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// The inputs of the successors of `point` that the operand is forwarded to.
static void appendRegionInputs(OpOperand &operand, RegionBranchOpInterface op,
                               RegionBranchPoint point,
                               SmallVectorImpl<Value> &inputs) {
  unsigned number = operand.getOperandNumber();
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(point, successors);
  for (const RegionSuccessor &successor : successors) {
    OperandRange forwarded = op.getSuccessorOperands(point, successor);
    ValueRange values = successor.getSuccessorInputs();
    if (forwarded.empty() || number < forwarded.getBeginOperandIndex())
      continue;
    unsigned index = number - forwarded.getBeginOperandIndex();
    if (index < forwarded.size() && index < values.size())
      inputs.push_back(values[index]);
  }
}

/// The argument of a loop, and the result, that one of its inits becomes.
static void appendLoopInputs(OpOperand &operand, LoopLikeOpInterface loop,
                             SmallVectorImpl<Value> &inputs) {
  OperandRange inits = loop.getInits();
  unsigned number = operand.getOperandNumber();
  if (inits.empty() || number < inits.getBeginOperandIndex())
    return;
  unsigned index = number - inits.getBeginOperandIndex();
  Block::BlockArgListType arguments = loop.getRegionIterArgs();
  if (index >= arguments.size())
    return;
  inputs.push_back(arguments[index]);
  if (OpResult result = getTiedResult(arguments[index]))
    inputs.push_back(result);
}

SmallVector<Value> mlir::hetero::getSuccessorInputs(OpOperand &operand) {
  SmallVector<Value> inputs;
  Operation *op = operand.getOwner();
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    if (std::optional<BlockArgument> argument =
            branch.getSuccessorBlockArgument(operand.getOperandNumber()))
      inputs.push_back(*argument);
    return inputs;
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    appendLoopInputs(operand, loop, inputs);
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (branch && inputs.empty())
    appendRegionInputs(operand, branch, RegionBranchPoint::parent(), inputs);
  auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op);
  auto parent = dyn_cast_or_null<RegionBranchOpInterface>(op->getParentOp());
  if (terminator && parent)
    appendRegionInputs(operand, parent, terminator, inputs);
  return inputs;
}

/// Where control flow, or an operation that combines the results of parallel
/// iterations, wants an operand: where that is which it becomes a part of.
static DeviceAttr getForwardedDevice(OpOperand &operand, DeviceAttr host) {
  SmallVector<Value> inputs = getSuccessorInputs(operand);
  auto combining = dyn_cast<ParallelCombiningOpInterface>(operand.getOwner());
  if (combining && inputs.empty())
    for (OpOperand &destination : combining.getUpdatedDestinations())
      inputs.push_back(destination.get());
  if (inputs.empty())
    return host;
  return getTypeDevice(inputs.front().getType());
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

/// What is decided elsewhere: by the user's copy, by a signature.
DeviceAttr DeviceConstraints::getSpecialOperandDevice(OpOperand &operand,
                                                      unsigned traits) {
  Operation *op = operand.getOwner();
  unsigned index = operand.getOperandNumber();
  if (traits & Copy) {
    auto copy = cast<CopyOp>(op);
    return copy.getFrom() ? copy.getFrom()->getBare() : DeviceAttr();
  }
  if (traits & Call) {
    auto call = cast<CallOpInterface>(op);
    OperandRange arguments = call.getArgOperands();
    FunctionOpInterface callee = getCallee(call, symbols);
    if (!callee || arguments.empty() ||
        index < arguments.getBeginOperandIndex())
      return host;
    return getSignatureDevice(callee.getArgumentTypes(),
                              index - arguments.getBeginOperandIndex(), host);
  }
  if (auto function = dyn_cast<FunctionOpInterface>(op->getParentOp()))
    return getSignatureDevice(function.getResultTypes(), index, host);
  return getForwardedDevice(operand, host);
}

DeviceAttr DeviceConstraints::getOperandDevice(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned traits = getTraits(op);
  if (traits & (Copy | Call | Return))
    return getSpecialOperandDevice(operand, traits);
  if (isHostOnly(op))
    return getForwardedDevice(operand, host);
  PlacementConstraint constraint = getTensorConstraint(operand);
  if (constraint == PlacementConstraint::Any)
    return {};
  if (constraint == PlacementConstraint::Host)
    return host;
  DeviceAttr device = getPlacedDevice(op);
  return device ? device.getBare() : host;
}

DeviceAttr DeviceConstraints::getResultDevice(OpResult result) {
  Operation *op = result.getOwner();
  if (getTraits(op) & Call) {
    FunctionOpInterface callee = getCallee(cast<CallOpInterface>(op), symbols);
    return callee ? getSignatureDevice(callee.getResultTypes(),
                                       result.getResultNumber(), host)
                  : host;
  }
  if (isHostOnly(op))
    return getCarriedDevice(result);
  if (getResultConstraint(result) == PlacementConstraint::Host)
    return host;
  auto copy = dyn_cast<CopyOp>(op);
  DeviceAttr device = copy ? copy.getResultDevice() : getPlacedDevice(op);
  return device ? device.getBare() : DeviceAttr();
}

bool mlir::hetero::canBeReplicated(Operation *op) {
  auto origin =
      dyn_cast_or_null<StringAttr>(op->getDiscardableAttr(kOriginAttrName));
  if (origin && origin.getValue().starts_with(kPinnedOrigin))
    return false;
  return isRepeatable(op);
}

bool mlir::hetero::canBeReplicatedOn(Operation *op, StringRef kind) {
  std::string reason;
  return canBeReplicated(op) &&
         (isNoWork(op) || succeeded(canRunOn(op, kind, reason)));
}
