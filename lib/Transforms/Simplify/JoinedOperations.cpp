//===- JoinedOperations.cpp - Operations that take over others ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinedOperations.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::mayJoin(Operation *op, DeviceAttr device) {
  DeviceAttr own = getDevice(op);
  // What is made in one place, with another operation, or by itself on purpose
  // stays.
  return (!own || own == device) &&
         !op->getDiscardableAttr(kColocateAttrName) &&
         !op->getDiscardableAttr(kRepeatedAttrName);
}

void mlir::hetero::copyAnnotations(Operation *from, Operation *to) {
  for (NamedAttribute attr : from->getDiscardableAttrs())
    if (attr.getName().getValue().starts_with("hetero."))
      to->setDiscardableAttr(attr.getName(), attr.getValue());
}

void mlir::hetero::eraseUnusedProducers(RewriterBase &rewriter,
                                        ArrayRef<Operation *> ops) {
  llvm::SmallSetVector<Operation *, 8> pending(ops.begin(), ops.end());
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!op || !isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      pending.insert(operand.getDefiningOp());
    rewriter.eraseOp(op);
  }
}

static int64_t countAnnotated(ModuleOp module) {
  int64_t count = 0;
  walkPlacedOperations(module,
                       [&](Operation *op) { count += bool(getDevice(op)); });
  return count;
}

PinCount::PinCount(ModuleOp module) : module(module) {
  if (module->hasAttr(kPinsAttrName))
    before = countAnnotated(module);
}

void PinCount::update() {
  auto pins = module->getAttrOfType<IntegerAttr>(kPinsAttrName);
  if (!pins || pins.getInt() == 0)
    return;
  int64_t joined = before - countAnnotated(module);
  if (joined > 0)
    module->setAttr(
        kPinsAttrName,
        IntegerAttr::get(pins.getType(),
                         std::max<int64_t>(pins.getInt() - joined, 0)));
}
