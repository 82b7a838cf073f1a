//===- TensorCaptures.cpp - Bodies that read tensors around ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Blocks/TensorCaptures.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if `inner`, which is in a region of `op`, reads a tensor from outside.
static bool readsOutside(Operation *inner, Operation *op) {
  return llvm::any_of(inner->getOperands(), [&](Value value) {
    return value.getParentBlock() != inner->getBlock() &&
           isa<TensorType>(value.getType()) &&
           !op->isAncestor(value.getParentBlock()->getParentOp());
  });
}

bool mlir::hetero::capturesTensors(Operation *op) {
  if (op->getNumRegions() == 0 || op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return false;
  WalkResult walk = op->walk([&](Operation *inner) {
    return inner != op && readsOutside(inner, op) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
  });
  return walk.wasInterrupted();
}
