//===- SourceLocations.cpp - Locations of what is fused -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceLocations.h"

#include "Codegen/Match/FillValue.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::hetero;

void mlir::hetero::nameBodies(Operation *root) {
  root->walk<WalkOrder::PreOrder>([](linalg::LinalgOp op) {
    op.getBlock()->walk([&](Operation *inner) { inner->setLoc(op.getLoc()); });
    return WalkResult::skip();
  });
}

/// True for what is work of one operation of the source. Constants and fills
/// may each be several that were equal.
static bool isOwnWork(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool isFill =
      linalgOp && linalgOp.getNumDpsInits() == 1 && getFillValue(linalgOp, 0);
  return !isFill && !op->hasTrait<OpTrait::ConstantLike>() &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

void mlir::hetero::joinLocations(Operation *op, ArrayRef<Operation *> others) {
  llvm::SetVector<Location> locations;
  locations.insert(op->getLoc());
  for (Operation *other : others)
    other->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      if (!isOwnWork(inner))
        return WalkResult::skip();
      locations.insert(inner->getLoc());
      return WalkResult::advance();
    });
  // Known ones only, each once.
  op->setLoc(FusedLoc::get(op->getContext(), locations.getArrayRef()));
}
