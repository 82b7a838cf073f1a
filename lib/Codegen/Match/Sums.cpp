//===- Sums.cpp - Results that are sums -----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::isFloatSum(linalg::LinalgOp op, unsigned result) {
  Value value = op.getRegionOutputArgs()[result];
  if (!value.getType().isF32())
    return false;
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    if (isa<linalg::YieldOp>(user))
      return use.getOperandNumber() == result && !isa<BlockArgument>(value);
    if (!isa<arith::AddFOp>(user) &&
        !(isa<arith::SubFOp>(user) && use.getOperandNumber() == 0))
      return false;
    value = user->getResult(0);
  }
  return false;
}
