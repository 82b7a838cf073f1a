//===- DecomposePad.cpp - tensor.pad as a fill and an insertion -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %1 = tensor.pad %0 low[0, 1] high[0, 1] { tensor.yield %zero }
//     ->
//   %2 = linalg.fill ins(%zero) outs(%empty)
//   %1 = tensor.insert_slice %0 into %2[0, 1] ...
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Frontends/DecomposePad.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;

/// The elements around the source: one value, or what the pad's body makes of
/// each place.
static Value fillPadding(RewriterBase &rewriter, tensor::PadOp op,
                         Value empty) {
  Location loc = op.getLoc();
  if (Value value = op.getConstantPaddingValue()) {
    if (value.getParentRegion() == &op.getRegion())
      value = rewriter.clone(*value.getDefiningOp())->getResult(0);
    return linalg::FillOp::create(rewriter, loc, value, empty).getResult(0);
  }
  int64_t rank = op.getResultType().getRank();
  auto generic = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), ValueRange(), empty,
      rewriter.getMultiDimIdentityMap(rank),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel));
  OpBuilder::InsertionGuard guard(rewriter);
  Block *body = rewriter.createBlock(&generic.getRegion(), {},
                                     op.getResultType().getElementType(), loc);
  SmallVector<Value> indices;
  for (int64_t dim = 0; dim < rank; ++dim)
    indices.push_back(linalg::IndexOp::create(rewriter, loc, dim));
  rewriter.inlineBlockBefore(op.getBody(), body, body->end(), indices);
  auto yield = cast<tensor::YieldOp>(body->getTerminator());
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<linalg::YieldOp>(yield, yield.getValue());
  return generic.getResult(0);
}

/// Where the result's type has a size, its operands give the same one.
static SmallVector<OpFoldResult> getPaddedSizes(RewriterBase &rewriter,
                                                tensor::PadOp op) {
  RankedTensorType type = op.getResultType();
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad(), sizes;
  AffineExpr a, b, c;
  bindSymbols(op.getContext(), a, b, c);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(
        type.isDynamicDim(dim)
            ? affine::makeComposedFoldedAffineApply(
                  rewriter, op.getLoc(), a + b + c,
                  {low[dim],
                   tensor::getMixedSize(rewriter, op.getLoc(), op.getSource(),
                                        dim),
                   high[dim]})
            : OpFoldResult(rewriter.getIndexAttr(type.getDimSize(dim))));
  return sizes;
}

/// Upstream's rewriteInDestinationPassingStyle takes a size of the result for a
/// value where it is a constant that the type does not have, and then reads
/// what is no attribute (LLVM 22).
void mlir::hetero::decomposePad(RewriterBase &rewriter, tensor::PadOp op) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResultType(), sourceType = op.getSourceType();
  SmallVector<OpFoldResult> sizes = getPaddedSizes(rewriter, op);
  SmallVector<OpFoldResult> low = op.getMixedLowPad();
  Value result =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  result = fillPadding(rewriter, op, result);
  // No place in a dimension without elements is inside it, and none is before
  // the first, which insertions check.
  auto isNegative = [](OpFoldResult amount) {
    std::optional<int64_t> constant = getConstantIntValue(amount);
    return constant && *constant < 0;
  };
  if (!llvm::is_contained(sourceType.getShape(), 0) &&
      !llvm::any_of(low, isNegative) &&
      !llvm::any_of(op.getMixedHighPad(), isNegative))
    result = tensor::InsertSliceOp::create(
        rewriter, loc, op.getSource(), result, low,
        tensor::getMixedSizes(rewriter, loc, op.getSource()),
        SmallVector<OpFoldResult>(low.size(), rewriter.getIndexAttr(1)));
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(op, result);
}
