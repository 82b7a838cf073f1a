//===- ExpandClamp.cpp - Expands math.clampf ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = math.clampf %x to [%low, %high]
//     ->
//   %0 = arith.maximumf %x, %low
//   %r = arith.minimumf %0, %high
//
// Upstream's expansion takes the minimum with %low and the maximum with %high,
// whose result is %high wherever the bounds are in order.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/ExpandClamp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
struct ExpandClamp : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Value raised = arith::MaximumFOp::create(
        rewriter, op.getLoc(), op.getValue(), op.getMin(), op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, raised, op.getMax(),
                                                   op.getFastmath());
    return success();
  }
};
} // namespace

void mlir::hetero::populateExpandClampPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandClamp>(patterns.getContext());
}
