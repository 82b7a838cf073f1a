//===- MergeProducers.cpp - Makes one of equal operations -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MergeProducers.h"

#include "Codegen/Match/FillValue.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace mlir::hetero;

/// Gives each use a copy of its own.
static void unshare(RewriterBase &rewriter, Operation *op) {
  while (!op->use_empty() && !op->hasOneUse()) {
    rewriter.setInsertionPointAfter(op);
    op->use_begin()->set(rewriter.clone(*op)->getResult(0));
  }
}

void mlir::hetero::mergeProducers(RewriterBase &rewriter, Operation *root) {
  DominanceInfo dominance(root);
  eliminateCommonSubExpressions(rewriter, dominance, root);
  SmallVector<Operation *> fills, empties;
  root->walk([&](Operation *op) {
    if (isa<tensor::EmptyOp>(op))
      empties.push_back(op);
    else if (auto fill = dyn_cast<linalg::GenericOp>(op);
             fill && fill->getNumResults() == 1 && getFillValue(fill, 0))
      fills.push_back(op);
  });
  for (Operation *fill : fills)
    unshare(rewriter, fill);
  for (Operation *empty : empties)
    unshare(rewriter, empty);
}
