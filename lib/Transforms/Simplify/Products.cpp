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

/// True for sums in f32 of products of two tensors, of which `conversions` are
/// widened.
static bool isSumOfProducts(linalg::LinalgOp op, int64_t conversions,
                            llvm::function_ref<bool(Type)> isInput) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
           .isProjectedPermutation())
    return false;
  Block *body = op.getBlock();
  // Besides conversions: the product, the sum and the yield.
  return llvm::range_size(body->getOperations()) == 3 + conversions &&
         body->getArgument(2).getType().isF32() &&
         isInput(body->getArgument(0).getType()) &&
         isInput(body->getArgument(1).getType()) &&
         llvm::count_if(*body, llvm::IsaPred<arith::ExtFOp>) == conversions &&
         linalg::detail::isContractionBody(
             *body, [](Operation *multiply, Operation *add) {
               return isa<arith::MulFOp>(multiply) && isa<arith::AddFOp>(add);
             });
}

bool mlir::hetero::isProduct(linalg::LinalgOp op) {
  return isSumOfProducts(op, 0, [](Type type) { return type.isF32(); });
}

bool mlir::hetero::isNarrowProduct(linalg::LinalgOp op) {
  return isSumOfProducts(
      op, 2, [](Type type) { return isa<Float16Type, BFloat16Type>(type); });
}

SmallVector<linalg::LinalgOp> mlir::hetero::collectProducts(Operation *root) {
  SmallVector<linalg::LinalgOp> products;
  root->walk([&](linalg::LinalgOp op) {
    if (isProduct(op))
      products.push_back(op);
  });
  return products;
}
