//===- Assumptions.cpp - What costs assume --------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assumptions.h"

#include "hetero/Analysis/Blocks/BlockTree.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::hetero;

static LogicalResult setAssumption(ModuleOp module, StringRef option,
                                   StringRef attrName, int64_t value) {
  if (value < 0)
    return emitError(module.getLoc()) << "expected the option '" << option
                                      << "' to be positive, got " << value;
  if (value != 0)
    module->setAttr(attrName, Builder(module).getI64IntegerAttr(value));
  Attribute attr = module->getAttr(attrName);
  auto number = dyn_cast_or_null<IntegerAttr>(attr);
  if (!attr ||
      (number && number.getType().isSignlessInteger(64) && number.getInt() > 0))
    return success();
  return emitError(module.getLoc())
         << "expected '" << attrName << "' to be a positive i64, got " << attr
         << "; remove it for the default";
}

LogicalResult mlir::hetero::setTripCount(ModuleOp module, int64_t option) {
  return setAssumption(module, "trip-count", kTripCountAttrName, option);
}

LogicalResult mlir::hetero::setDynamicSize(ModuleOp module, int64_t option) {
  return setAssumption(module, "dynamic-size", kDynamicSizeAttrName, option);
}
