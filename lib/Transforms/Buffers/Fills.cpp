//===- Fills.cpp - Operations that fill what they write -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fills.h"

using namespace mlir;

bool mlir::hetero::isFill(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return false;
  auto isShaped = [](Value value) { return isa<ShapedType>(value.getType()); };
  return llvm::none_of(op.getDpsInputs(), isShaped) &&
         op.getBlock()->without_terminator().empty();
}
