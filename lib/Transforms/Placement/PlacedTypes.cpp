//===- PlacedTypes.cpp - Devices as part of types -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacedTypes.h"

#include "hetero/Dialect/Hetero/IR/CarriedDevices.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::hetero;

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

LogicalResult mlir::hetero::placeState(Operation *state) {
  DeviceAttr device = getDevice(state);
  if (!device || isa<FunctionOpInterface>(state))
    return success();
  for (NamedAttribute attr : llvm::to_vector(state->getAttrs())) {
    Attribute placed = attr.getValue();
    if (auto type = dyn_cast<TypeAttr>(placed)) {
      FailureOr<Type> result =
          placeType(state->getLoc(), type.getValue(), device);
      if (failed(result))
        return failure();
      placed = TypeAttr::get(*result);
    } else if (auto elements = dyn_cast<ElementsAttr>(placed)) {
      auto type = dyn_cast<RankedTensorType>(elements.getType());
      placed = type ? ::retypeElements(elements, cast<RankedTensorType>(
                                                     withDevice(type, device)))
                    : Attribute();
      if (!placed)
        return state->emitError("expected dense elements on ")
               << device.str() << ", got " << attr.getValue()
               << "; annotate the state with cpu:0";
    }
    state->setAttr(attr.getName(), placed);
  }
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
