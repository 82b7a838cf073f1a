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
#include "mlir/IR/DialectResourceBlobManager.h"
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

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The same elements with another type of the same shape; null if unknown.
static Attribute retypeElements(ElementsAttr elements, RankedTensorType type) {
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(elements))
    return dense.reshape(type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return {};
}

LogicalResult mlir::hetero::setTensorType(OpResult result, Type type) {
  Operation *op = result.getOwner();
  if (type == result.getType())
    return success();
  if (op->hasTrait<OpTrait::ConstantLike>())
    for (NamedAttribute attr : op->getAttrs()) {
      auto elements = dyn_cast<ElementsAttr>(attr.getValue());
      if (!elements || elements.getType() != result.getType())
        continue;
      Attribute retyped =
          retypeElements(elements, cast<RankedTensorType>(type));
      if (!retyped)
        return op->emitError("expected dense elements on ")
               << getTypeDevice(type).str() << ", got " << attr.getValue()
               << "; pin the constant to the host";
      op->setAttr(attr.getName(), retyped);
    }
  result.setType(type);
  return success();
}

FailureOr<Type> mlir::hetero::placeType(Location loc, Type type,
                                        DeviceAttr device) {
  if (!isa<TensorType>(type))
    return type;
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked) {
    if (device.isHost())
      return type;
    return emitError(loc) << "expected a ranked tensor on " << device.str()
                          << ", got " << type
                          << "; unranked tensors stay on the host",
           failure();
  }
  Attribute encoding = ranked.getEncoding();
  if (!encoding || encoding == device.getBare())
    return withDevice(type, device);
  if (isa<DeviceAttr>(encoding))
    return emitError(loc) << "expected a tensor on " << device.str() << ", got "
                          << type << "; correct the type or the annotation",
           failure();
  return emitError(loc) << "expected a tensor without an encoding, got " << type
                        << "; a device cannot be added to it, remove the "
                           "encoding",
         failure();
}

/// The device that a signature's attribute names; null if there is none.
static FailureOr<DeviceAttr> getSignatureAttr(FunctionOpInterface function,
                                              Attribute attr) {
  auto device = dyn_cast_or_null<DeviceAttr>(attr);
  if (device && !device.hasOrdinal())
    return function.emitOpError("expected a device with an ordinal in the "
                                "signature, got ")
               << device << "; run --hetero-place first",
           failure();
  return device;
}

LogicalResult mlir::hetero::placeSignature(FunctionOpInterface function) {
  auto place = [&](Type type, Attribute attr, Location loc) -> FailureOr<Type> {
    FailureOr<DeviceAttr> device = getSignatureAttr(function, attr);
    if (failed(device))
      return failure();
    DeviceAttr known = *device ? *device : getTypeDevice(type);
    if (!known)
      known = DeviceAttr::getHost(function.getContext());
    return placeType(loc, type, known);
  };
  SmallVector<Type> inputs, outputs;
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i) {
    bool hasBody = !function.isExternal();
    Location loc =
        hasBody ? function.getArgument(i).getLoc() : function.getLoc();
    FailureOr<Type> type = place(function.getArgumentTypes()[i],
                                 function.getArgAttr(i, kDeviceAttrName), loc);
    if (failed(type))
      return failure();
    inputs.push_back(*type);
    if (hasBody)
      function.getArgument(i).setType(*type);
  }
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i) {
    FailureOr<Type> type =
        place(function.getResultTypes()[i],
              function.getResultAttr(i, kDeviceAttrName), function.getLoc());
    if (failed(type))
      return failure();
    outputs.push_back(*type);
  }
  if (!llvm::equal(inputs, function.getArgumentTypes()) ||
      !llvm::equal(outputs, function.getResultTypes()))
    function.setType(function.cloneTypeWith(inputs, outputs));
  return success();
}

LogicalResult mlir::hetero::placeResults(Operation *op,
                                         DeviceConstraints &constraints) {
  if (DeviceAttr device = constraints.getDevice(op);
      device && !device.hasOrdinal())
    return op->emitOpError("expected a device with an ordinal, got ")
           << device << "; run --hetero-place first";
  for (OpResult result : op->getResults()) {
    if (!isa<TensorType>(result.getType()))
      continue;
    DeviceAttr device = constraints.getResultDevice(result);
    if (!device)
      return op->emitOpError("expected a device; run --hetero-place first");
    FailureOr<Type> type = placeType(op->getLoc(), result.getType(), device);
    if (failed(type) || failed(setTensorType(result, *type)))
      return failure();
  }
  return success();
}

LogicalResult mlir::hetero::placeArguments(Operation *op,
                                           DeviceConstraints &constraints) {
  for (Region &region : op->getRegions())
    for (auto [number, block] : llvm::enumerate(region)) {
      if (number == 0 && isa<FunctionOpInterface>(op))
        continue;
      for (BlockArgument argument : block.getArguments()) {
        if (!isa<TensorType>(argument.getType()))
          continue;
        DeviceAttr device =
            number == 0
                ? getCarriedDevice(argument)
                : getBlockArgumentDevice(op, number, argument.getArgNumber());
        if (!device)
          device = constraints.getTypeDevice(argument.getType());
        if (!device)
          device = DeviceAttr::getHost(op->getContext());
        FailureOr<Type> type =
            placeType(argument.getLoc(), argument.getType(), device);
        if (failed(type))
          return failure();
        argument.setType(*type);
      }
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// "3:10" of the first file location, or empty.
static std::string getPosition(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text =
        std::to_string(file.getLine()) + ":" + std::to_string(file.getColumn());
    return WalkResult::interrupt();
  });
  return text;
}

std::string mlir::hetero::getOperationName(Operation *op) {
  if (auto name =
          op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    return "@" + name.str();
  std::string position = getPosition(op->getLoc());
  std::string text = op->getName().getStringRef().str();
  return position.empty() ? text : text + " at " + position;
}

std::string mlir::hetero::getValueName(Value value) {
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    return name.getName().str();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    std::string text = "%arg" + std::to_string(argument.getArgNumber());
    if (!argument.getOwner()->isEntryBlock())
      text = "block argument " + std::to_string(argument.getArgNumber());
    Operation *parent = argument.getOwner()->getParentOp();
    return parent ? text + " of " + getOperationName(parent) : text;
  }
  auto result = cast<OpResult>(value);
  std::string text = getOperationName(result.getOwner());
  if (result.getOwner()->getNumResults() == 1)
    return text;
  return "result " + std::to_string(result.getResultNumber()) + " of " + text;
}

std::string mlir::hetero::getCopiedName(CopyOp op) {
  while (true) {
    if (auto name = op->getAttrOfType<StringAttr>(kValueAttrName))
      return name.str();
    auto before = op.getSource().getDefiningOp<CopyOp>();
    if (!before)
      return getValueName(op.getSource());
    op = before;
  }
}
