//===- Repeatable.cpp - Operations that are cheap to repeat ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants, tensor.empty, fills and views of such are made again on every
// device that needs them. Placement prices them so and materialization repeats
// them; both ask here.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/Repeatable.h"

#include "ModelHelp.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::isNoWork(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op);
}

/// True if the model says that repeating the operation is cheap.
static bool isCheap(Operation *op) {
  if (isNoWork(op))
    return true;
  return isReplicable(op) && isMemoryEffectFree(op);
}

bool mlir::hetero::isMadeOnce(Operation *op) {
  auto origin =
      dyn_cast_or_null<StringAttr>(op->getDiscardableAttr(kOriginAttrName));
  return origin && origin.getValue() == kMadeOnceOrigin;
}

bool mlir::hetero::isRepeatable(Operation *op, unsigned depth) {
  // Repeating a longer chain would cost more than a copy.
  constexpr unsigned kMaxDepth = 4;
  if (isMadeOnce(op) || depth == kMaxDepth || !isCheap(op) ||
      !hasDenseElements(op))
    return false;
  bool areReadsRepeatable = true;
  visitReads(op, [&](Value value) {
    if (!areReadsRepeatable || !isa<TensorType>(value.getType()))
      return;
    Operation *producer = value.getDefiningOp();
    areReadsRepeatable =
        producer && (isMadeOnce(producer) || isRepeatable(producer, depth + 1));
  });
  return areReadsRepeatable;
}
