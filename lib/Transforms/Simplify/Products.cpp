//===- Products.cpp - Sums of products of two tensors ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::isProduct(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
           .isProjectedPermutation())
    return false;
  // The product, the sum and the yield.
  Block *body = op.getBlock();
  return llvm::range_size(body->getOperations()) == 3 &&
         llvm::all_of(body->getArgumentTypes(),
                      [](Type type) { return type.isF32(); }) &&
         linalg::detail::isContractionBody(
             *body, [](Operation *multiply, Operation *add) {
               return isa<arith::MulFOp>(multiply) && isa<arith::AddFOp>(add);
             });
}

SmallVector<linalg::LinalgOp> mlir::hetero::collectProducts(Operation *root) {
  SmallVector<linalg::LinalgOp> products;
  root->walk([&](linalg::LinalgOp op) {
    if (isProduct(op))
      products.push_back(op);
  });
  return products;
}
