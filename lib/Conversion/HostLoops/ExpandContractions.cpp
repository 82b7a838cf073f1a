//===- ExpandContractions.cpp - Contractions that upstream refuses --------===//
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
// says that operands are promoted, integers as signed ones. They take sums
// only, too: what keeps maxima, for example, becomes products and a
// vector.multi_reduction.
//
//===----------------------------------------------------------------------===//

#include "ExpandContractions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

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

/// A contraction whose kind is not add.
struct ReduceProducts : OpRewritePattern<vector::ContractionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// The dimensions of the map's results.
static SmallVector<int64_t> getDimensions(AffineMap map) {
  return llvm::map_to_vector(map.getResults(), [](AffineExpr result) {
    return static_cast<int64_t>(cast<AffineDimExpr>(result).getPosition());
  });
}

/// The operand with all dimensions of the contraction, in their order.
static Value spread(OpBuilder &builder, Location loc, Value operand,
                    AffineMap map, ArrayRef<int64_t> bounds) {
  SmallVector<int64_t> own = getDimensions(map), order, shape;
  for (int64_t dim = 0, end = bounds.size(); dim < end; ++dim)
    if (!llvm::is_contained(own, dim))
      order.push_back(dim);
  llvm::append_range(order, own);
  for (int64_t dim : order)
    shape.push_back(bounds[dim]);
  Type element = cast<VectorType>(operand.getType()).getElementType();
  Value wide = vector::BroadcastOp::create(
      builder, loc, VectorType::get(shape, element), operand);
  return vector::TransposeOp::create(builder, loc, wide,
                                     invertPermutationVector(order));
}

LogicalResult ReduceProducts::matchAndRewrite(vector::ContractionOp op,
                                              PatternRewriter &rewriter) const {
  Type element = getElementTypeOrSelf(op.getResultType());
  auto result = dyn_cast<VectorType>(op.getResultType());
  if (op.getKind() == vector::CombiningKind::ADD ||
      op.getLhsType().getElementType() != element)
    return rewriter.notifyMatchFailure(op, "a sum, or of mixed types");
  if (op.getLhsType().isScalable() || op.getRhsType().isScalable())
    return rewriter.notifyMatchFailure(op, "scalable");
  Location loc = op.getLoc();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> bounds, kept = getDimensions(maps[2]);
  op.getIterationBounds(bounds);
  Value lhs = spread(rewriter, loc, op.getLhs(), maps[0], bounds);
  Value rhs = spread(rewriter, loc, op.getRhs(), maps[1], bounds);
  Value products =
      isa<FloatType>(element)
          ? arith::MulFOp::create(rewriter, loc, lhs, rhs).getResult()
          : arith::MulIOp::create(rewriter, loc, lhs, rhs);
  SmallVector<bool> isReduced(bounds.size());
  for (auto [dim, reduced] : llvm::enumerate(isReduced))
    reduced = !llvm::is_contained(kept, static_cast<int64_t>(dim));
  // A reduction keeps the order of dimensions; the result may have another.
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(kept.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) { return kept[a] < kept[b]; });
  Value init = op.getAcc();
  if (result)
    init = vector::TransposeOp::create(rewriter, loc, init, order);
  Value reduced = vector::MultiDimReductionOp::create(
      rewriter, loc, products, init, isReduced, op.getKind());
  if (result)
    reduced = vector::TransposeOp::create(rewriter, loc, reduced,
                                          invertPermutationVector(order));
  rewriter.replaceOp(op, reduced);
  return success();
}

void mlir::hetero::populateExpandContractionsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<WidenContraction, ReduceProducts>(patterns.getContext());
}
