//===- WidenContractions.cpp - Contractions of mixed types ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %s = vector.contract %a, %b, %c : vector<4x8xi8>, vector<8x4xi8>
//       into vector<4x4xi32>
//
// becomes
//
//   %x = arith.extsi %a : vector<4x8xi8> to vector<4x8xi32>
//   %y = arith.extsi %b : vector<8x4xi8> to vector<8x4xi32>
//   %s = vector.contract %x, %y, %c : vector<4x8xi32>, vector<8x4xi32>
//       into vector<4x4xi32>
//
// since upstream's lowerings take one element type only (LLVM 22). The dialect
// says that operands are promoted, integers as signed ones.
//
//===----------------------------------------------------------------------===//

#include "WidenContractions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

/// The value in a wider element type; null if the type is not wider.
static Value extend(OpBuilder &builder, Location loc, Value value,
                    Type element) {
  auto type = cast<VectorType>(value.getType());
  Type from = type.getElementType();
  if (!from.isIntOrFloat() || !element.isIntOrFloat() ||
      from.getIntOrFloatBitWidth() >= element.getIntOrFloatBitWidth())
    return {};
  VectorType wide = type.clone(element);
  if (isa<FloatType>(from) && isa<FloatType>(element))
    return arith::ExtFOp::create(builder, loc, wide, value);
  if (isa<IntegerType>(from) && isa<IntegerType>(element))
    return arith::ExtSIOp::create(builder, loc, wide, value);
  return {};
}

namespace {
struct WidenContraction : OpRewritePattern<vector::ContractionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getResultType());
    if (op.getLhsType().getElementType() == element)
      return rewriter.notifyMatchFailure(op, "one element type");
    Value lhs = extend(rewriter, op.getLoc(), op.getLhs(), element);
    if (!lhs)
      return rewriter.notifyMatchFailure(op, "the result is not wider");
    // The verifier wants the element types of both to be equal.
    Value rhs = extend(rewriter, op.getLoc(), op.getRhs(), element);
    rewriter.modifyOpInPlace(op, [&] {
      op.getLhsMutable().assign(lhs);
      op.getRhsMutable().assign(rhs);
    });
    return success();
  }
};
} // namespace

void mlir::hetero::populateWidenContractionPatterns(
    RewritePatternSet &patterns) {
  patterns.add<WidenContraction>(patterns.getContext());
}
