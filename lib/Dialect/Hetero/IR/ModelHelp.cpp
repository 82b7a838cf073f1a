//===- ModelHelp.cpp - What models of operations share --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelHelp.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::hetero;

LogicalResult mlir::hetero::runsOnlyOnHost(Operation *op, StringRef kind,
                                           StringRef why, std::string &reason) {
  if (kind == kHostKind)
    return success();
  reason = (op->getName().getStringRef() + " " + why).str();
  return failure();
}

bool mlir::hetero::hasDenseElements(Operation *op) {
  return llvm::all_of(op->getAttrs(), [](NamedAttribute attr) {
    return !isa<ElementsAttr>(attr.getValue()) ||
           isa<DenseIntOrFPElementsAttr, DenseResourceElementsAttr>(
               attr.getValue());
  });
}

LogicalResult mlir::hetero::hasTensorsToPlace(Operation *op, StringRef kind,
                                              std::string &reason) {
  if (!hasTensors(op))
    return runsOnlyOnHost(op, kind, "works on no tensors", reason);
  if (!hasDenseElements(op))
    return runsOnlyOnHost(
        op, kind, "has no dense elements, which the host spreads out", reason);
  return success();
}

int64_t mlir::hetero::getTrafficBytes(Operation *op, TensorSizes &sizes) {
  int64_t bytes = 0;
  for (OpOperand &operand : op->getOpOperands())
    if (readsOperand(operand))
      bytes = addSizes(bytes, sizes.getBytes(operand.get()));
  for (Value result : op->getResults())
    bytes = addSizes(bytes, sizes.getBytes(result));
  return bytes;
}
