//===- Sums.cpp - Results that are sums -----------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if the operation adds to an operand of `sums`, or chooses between two
/// of them; all else that it computes with does not depend on them.
static bool keepsSum(Operation &op, const llvm::SmallPtrSetImpl<Value> &sums) {
  SmallVector<unsigned> uses;
  for (OpOperand &operand : op.getOpOperands())
    if (sums.contains(operand.get()))
      uses.push_back(operand.getOperandNumber());
  if (isa<arith::AddFOp>(op))
    return uses.size() == 1;
  if (isa<arith::SubFOp>(op))
    return uses == ArrayRef<unsigned>{0};
  if (isa<math::FmaOp>(op))
    return uses == ArrayRef<unsigned>{2};
  return isa<arith::SelectOp>(op) && uses == ArrayRef<unsigned>{1, 2};
}

bool mlir::hetero::isFloatSum(linalg::LinalgOp op, unsigned result) {
  Value old = op.getRegionOutputArgs()[result];
  if (!old.getType().isF32())
    return false;
  llvm::SmallPtrSet<Value, 4> sums = {old};
  auto isSum = [&](Value value) { return sums.contains(value); };
  for (Operation &inner : op.getBlock()->without_terminator()) {
    WalkResult uses = inner.walk([&](Operation *user) {
      return WalkResult(failure(llvm::any_of(user->getOperands(), isSum)));
    });
    if (!uses.wasInterrupted())
      continue;
    if (!keepsSum(inner, sums))
      return false;
    sums.insert(inner.getResult(0));
  }
  ValueRange yielded = op.getBlock()->getTerminator()->getOperands();
  return llvm::count_if(yielded, isSum) == 1 && isSum(yielded[result]) &&
         yielded[result] != old;
}
