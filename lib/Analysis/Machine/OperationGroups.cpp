//===- OperationGroups.cpp - Operations of one sort -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Machine/OperationGroups.h"

#include "SourceNames.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace mlir::hetero;

static constexpr StringRef kGroupNames[] = {"contractions", "elementwise",
                                            "normalization"};

ArrayRef<StringRef> mlir::hetero::getGroupNames() { return kGroupNames; }

std::optional<OperationGroup> mlir::hetero::lookupGroup(StringRef name) {
  const StringRef *found = llvm::find(kGroupNames, name);
  if (found == std::end(kGroupNames))
    return std::nullopt;
  return static_cast<OperationGroup>(found - std::begin(kGroupNames));
}

static bool isContraction(Operation *op) {
  if (isa<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
          tosa::TransposeConv2DOp, tosa::MatMulOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && (linalg::isaContractionOpInterface(linalgOp) ||
                      linalg::isaConvolutionOpInterface(linalgOp));
}

static bool isElementwise(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return !isa<linalg::FillOp>(op) && linalg::isElementwise(linalgOp);
  return OpTrait::hasElementwiseMappableTraits(op) ||
         op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>();
}

/// Lowered, it is sums and elementwise operations: only their names tell.
static bool isNormalization(Operation *op) {
  if (isa<linalg::SoftmaxOp>(op))
    return true;
  bool result = false;
  forEachName(op->getLoc(), [&](StringRef name) {
    std::string source = getSource(name).lower();
    result |= StringRef(source).contains("norm") ||
              StringRef(source).contains("softmax");
  });
  return result;
}

bool mlir::hetero::isInGroup(Operation *op, OperationGroup group) {
  switch (group) {
  case OperationGroup::Contractions:
    return isContraction(op);
  case OperationGroup::Elementwise:
    return isElementwise(op);
  case OperationGroup::Normalization:
    return isNormalization(op);
  }
  llvm_unreachable("covered switch");
}
