//===- PlacementQueries.cpp - Questions about one operation ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/PlacementQueries.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::isPlaceable(Operation *op) {
  if (isControlFlow(op))
    return false;
  auto isBound = [](PlacementConstraint constraint) {
    return constraint == PlacementConstraint::SameAsOp;
  };
  for (OpOperand &operand : op->getOpOperands())
    if (isBound(getOperandConstraint(operand)))
      return true;
  return llvm::any_of(op->getResults(), [&](OpResult result) {
    return isBound(getResultConstraint(result));
  });
}

bool mlir::hetero::isInParallelRegion(Operation *op) {
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp())
    if (parent->hasTrait<OpTrait::HasParallelRegion>())
      return true;
  return false;
}

LogicalResult mlir::hetero::canRunOn(Operation *op, const Topology &topology,
                                     DeviceIndex device, std::string &reason) {
  DeviceAttr attr = topology.getDevice(device);
  if (failed(hetero::canRunOn(op, attr.getKind(), topology.getKind(device),
                              reason)))
    return failure();
  if (device == Topology::kHost)
    return success();
  if (isInParallelRegion(op)) {
    reason = (op->getName().getStringRef() +
              " is in a parallel loop, which the host runs")
                 .str();
    return failure();
  }
  if (makesScalars(op)) {
    reason = (op->getName().getStringRef() +
              " makes values that are no tensors, which are on the host")
                 .str();
    return failure();
  }
  if (hasElementsOf(op, topology, device, &reason))
    return success();
  return failure();
}

bool mlir::hetero::makesScalars(Operation *op) {
  return !llvm::all_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

bool mlir::hetero::hasElementsOf(Operation *op, const Topology &topology,
                                 DeviceIndex device, std::string *reason) {
  if (device == Topology::kHost || topology.supportsAllTypes(device))
    return true;
  auto supports = [&](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    if (!tensor || topology.supportsType(device, tensor.getElementType()))
      return true;
    if (reason)
      llvm::raw_string_ostream(*reason)
          << topology.getDevice(device).str() << " has no elements of type "
          << tensor.getElementType();
    return false;
  };
  return llvm::all_of(op->getOperandTypes(), supports) &&
         llvm::all_of(op->getResultTypes(), supports);
}

void mlir::hetero::walkPlacedOperations(
    ModuleOp module, llvm::function_ref<void(Operation *)> callback) {
  for (auto function : module.getOps<FunctionOpInterface>())
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == function)
        return WalkResult::advance();
      if (op->hasTrait<OpTrait::IsTerminator>())
        return WalkResult::skip();
      callback(op);
      return isControlFlow(op) ? WalkResult::advance() : WalkResult::skip();
    });
}

bool mlir::hetero::hasPrivateFunctions(ModuleOp module) {
  return llvm::any_of(module.getOps<FunctionOpInterface>(),
                      [](FunctionOpInterface function) {
                        return function.isPrivate() && !function.isExternal();
                      });
}

DeviceAttr mlir::hetero::getArgumentDevice(FunctionOpInterface function,
                                           unsigned index) {
  return function.getArgAttrOfType<DeviceAttr>(index, kDeviceAttrName);
}

DeviceAttr mlir::hetero::getResultDevice(FunctionOpInterface function,
                                         unsigned index) {
  return function.getResultAttrOfType<DeviceAttr>(index, kDeviceAttrName);
}

void mlir::hetero::forEachSource(Location loc,
                                 llvm::function_ref<void(StringRef)> visit) {
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      forEachSource(part, visit);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    forEachSource(call.getCallee(), visit);
  } else if (auto file = dyn_cast<FileLineColLoc>(loc)) {
    visit((llvm::sys::path::filename(file.getFilename()) + ":" +
           Twine(file.getLine()) + ":" + Twine(file.getColumn()))
              .str());
  } else if (auto name = dyn_cast<NameLoc>(loc)) {
    visit(name.getName());
  }
}

std::string mlir::hetero::describeLocation(Location loc) {
  std::string first;
  forEachSource(loc, [&](StringRef text) {
    if (first.empty())
      first = text.str();
  });
  return first;
}
