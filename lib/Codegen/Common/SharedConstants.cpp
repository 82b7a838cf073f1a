//===- SharedConstants.cpp - Constants of several devices -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedConstants.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::hetero;

/// What holds the elements; null for those that are all the same.
static Attribute getElements(arith::ConstantOp constant) {
  Attribute value = constant.getValue();
  auto dense = dyn_cast<DenseElementsAttr>(value);
  bool isStored =
      dense ? !dense.isSplat() : isa<DenseResourceElementsAttr>(value);
  return isStored ? value : Attribute();
}

void mlir::hetero::markSharedConstants(ModuleOp module) {
  llvm::DenseMap<Attribute, DeviceAttr> devices;
  llvm::DenseSet<Attribute> shared;
  SmallVector<arith::ConstantOp> constants;
  module.walk([&](ExecuteOp region) {
    DeviceAttr device = region.getDevice();
    region.getBody().walk([&](arith::ConstantOp constant) {
      Attribute elements = getElements(constant);
      if (!elements)
        return;
      constants.push_back(constant);
      auto [it, isNew] = devices.try_emplace(elements, device);
      if (!isNew && !it->second.isSameDevice(device))
        shared.insert(elements);
    });
  });
  for (arith::ConstantOp constant : constants)
    if (shared.contains(constant.getValue()))
      constant->setAttr(kSharedConstantAttrName,
                        UnitAttr::get(module.getContext()));
}
