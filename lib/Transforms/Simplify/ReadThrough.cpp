//===- ReadThrough.cpp - What broadcasts are made of ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadThrough.h"

using namespace mlir;
using namespace mlir::hetero;

/// The input that the operation writes as it is, each element to one or more
/// places of its result; null if it does anything else.
static OpOperand *getMovedInput(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      !isa<RankedTensorType>(op.getDpsInputOperand(0)->get().getType()) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
    return nullptr;
  Block *body = op.getBlock();
  Operation *yield = body->getTerminator();
  return yield->getOperand(0) == body->getArgument(0) ? op.getDpsInputOperand(0)
                                                      : nullptr;
}

ReadTensor
mlir::hetero::readThrough(Value value, AffineMap map,
                          llvm::function_ref<bool(Operation *)> mayPass) {
  while (auto op = value.getDefiningOp<linalg::LinalgOp>()) {
    OpOperand *input = getMovedInput(op);
    if (!input || !mayPass(op))
      break;
    AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    map = op.getMatchingIndexingMap(input)
              .compose(inversePermutation(result))
              .compose(map);
    value = input->get();
  }
  return {value, map};
}

Value mlir::hetero::getSplatScalar(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill ? fill.getInputs()[0] : Value();
}
