//===- BranchWeights.cpp - How often regions run --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/BranchWeights.h"

#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

ArrayRef<int32_t> mlir::hetero::getRegionWeights(Operation *op) {
  if (auto attr = dyn_cast_or_null<DenseI32ArrayAttr>(
          op->getDiscardableAttr(kBranchWeightsAttrName)))
    return attr.asArrayRef();
  return {};
}

LogicalResult mlir::hetero::verifyRegionWeights(Operation *op,
                                                Attribute weights) {
  if (!isa<RegionBranchOpInterface>(op) || isa<LoopLikeOpInterface>(op))
    return op->emitOpError("'")
           << kBranchWeightsAttrName
           << "' expects control flow that is no loop; put it on scf.if or "
              "scf.index_switch";
  auto array = dyn_cast<DenseI32ArrayAttr>(weights);
  auto isNegative = [](int32_t weight) { return weight < 0; };
  auto isPositive = [](int32_t weight) { return weight > 0; };
  if (array && array.size() == op->getNumRegions() &&
      llvm::none_of(array.asArrayRef(), isNegative) &&
      llvm::any_of(array.asArrayRef(), isPositive))
    return success();
  return op->emitOpError("'")
         << kBranchWeightsAttrName << "' expects " << op->getNumRegions()
         << " weights that are not negative and not all 0, got " << weights
         << "; write array<i32: 9, 1>, for example";
}
