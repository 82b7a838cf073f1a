//===- FillValue.cpp - Operations that write one value --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FillValue.h"

using namespace mlir;

Value mlir::hetero::getFillValue(linalg::LinalgOp op, unsigned result) {
  bool readsElements = llvm::any_of(op.getDpsInputs(), [](Value value) {
    return isa<ShapedType>(value.getType());
  });
  if (readsElements || op.getNumReductionLoops() != 0 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(result)).isPermutation())
    return {};
  Block *body = op.getBlock();
  Value yielded = body->getTerminator()->getOperand(result);
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (argument && argument.getOwner() == body)
    return argument.getArgNumber() < op.getNumDpsInputs()
               ? op.getDpsInputs()[argument.getArgNumber()]
               : Value();
  return body->getParent()->isAncestor(yielded.getParentRegion()) ? Value()
                                                                  : yielded;
}
