//===- Pads.cpp - Pads by fills of the borders ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = fill(%zero, %empty : tensor<4x10xf32>)
//   %1 = tensor.insert_slice %x into %0[0, 1] [4, 8] [1, 1]
//
// is a pad, of which each tile of what reads it may compute a part:
//
//   %1 = tensor.pad %x low[0, 1] high[0, 1] { tensor.yield %zero }
//
// Each is then a fill of each border and an insertion: what is in the middle is
// written once.
//
//===----------------------------------------------------------------------===//

#include "Pads.h"

#include "Borders.h"
#include "Codegen/CPU/Plan/VectorPlan.h"
#include "Codegen/Match/FillValue.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
struct FindPad : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override;
};

/// A part of a tensor.
struct Box {
  SmallVector<OpFoldResult> offsets, sizes;
};

struct ExpandPad : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// What a size in a region is outside of it.
static Value findOutside(OpFoldResult size) {
  auto value = dyn_cast<Value>(size);
  auto argument = dyn_cast_if_present<BlockArgument>(value);
  auto region = argument
                    ? dyn_cast<ExecuteOp>(argument.getOwner()->getParentOp())
                    : ExecuteOp();
  return region ? region.getInputs()[argument.getArgNumber()] : value;
}

/// True for one size, or the same size of one tensor.
static bool areSame(OpFoldResult first, OpFoldResult second) {
  Value one = findOutside(first), other = findOutside(second);
  auto dim = one ? one.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  auto otherDim =
      other ? other.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  return first == second || (one && one == other) ||
         (dim && otherDim && dim.getSource() == otherDim.getSource() &&
          dim.getConstantIndex() &&
          dim.getConstantIndex() == otherDim.getConstantIndex());
}

/// How many elements of `op`'s result are after the source in a dimension;
/// none if that is not known.
static std::optional<int64_t> getHighPad(tensor::InsertSliceOp op,
                                         tensor::EmptyOp empty, unsigned dim) {
  std::optional<int64_t> low = getConstantIntValue(op.getMixedOffsets()[dim]);
  OpFoldResult size = op.getMixedSizes()[dim];
  OpFoldResult all = empty.getMixedSizes()[dim];
  std::optional<int64_t> inner = getConstantIntValue(size);
  std::optional<int64_t> outer = getConstantIntValue(all);
  if (!low)
    return std::nullopt;
  if (inner && outer)
    return *outer - *low - *inner;
  return *low == 0 && areSame(size, all) ? std::optional<int64_t>(0)
                                         : std::nullopt;
}

/// The value of the fill that `op` inserts something into, and that fill's
/// destination; null where it does not.
static std::pair<Value, tensor::EmptyOp> findFilled(tensor::InsertSliceOp op) {
  auto fill = op.getDest().getDefiningOp<linalg::GenericOp>();
  if (!fill || !op.hasUnitStride() ||
      op.getSourceType().getRank() != op.getType().getRank())
    return {};
  unsigned result = cast<OpResult>(op.getDest()).getResultNumber();
  auto empty = fill.getDpsInits()[result].getDefiningOp<tensor::EmptyOp>();
  return {empty ? getFillValue(fill, result) : Value(), empty};
}

LogicalResult FindPad::matchAndRewrite(tensor::InsertSliceOp op,
                                       PatternRewriter &rewriter) const {
  auto [value, empty] = findFilled(op);
  if (!value || !op.getDest().hasOneUse())
    return rewriter.notifyMatchFailure(op, "not into a fill of its own");
  SmallVector<OpFoldResult> high;
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    std::optional<int64_t> size = getHighPad(op, empty, dim);
    if (!size)
      return rewriter.notifyMatchFailure(op, "borders have no known sizes");
    high.push_back(rewriter.getIndexAttr(*size));
  }
  rewriter.replaceOpWithNewOp<tensor::PadOp>(op, op.getType(), op.getSource(),
                                             op.getMixedOffsets(), high, value);
  return success();
}

tensor::PadOp mlir::hetero::createOpenPad(RewriterBase &rewriter,
                                          tensor::InsertSliceOp op) {
  auto [value, empty] = findFilled(op);
  if (!value || llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic))
    return {};
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> high;
  AffineExpr all = rewriter.getAffineSymbolExpr(0);
  AffineExpr inner = rewriter.getAffineSymbolExpr(1);
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    std::optional<int64_t> known = getHighPad(op, empty, dim);
    high.push_back(
        known
            ? OpFoldResult(rewriter.getIndexAttr(*known))
            : affine::makeComposedFoldedAffineApply(
                  rewriter, op.getLoc(), all - inner - op.getStaticOffset(dim),
                  {empty.getMixedSizes()[dim], op.getMixedSizes()[dim]}));
  }
  return tensor::PadOp::create(rewriter, op.getLoc(), op.getType(),
                               op.getSource(), op.getMixedOffsets(), high,
                               value);
}

LogicalResult mlir::hetero::findPads(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  patterns.add<FindPad>(root->getContext());
  return applyPatternsGreedily(root, std::move(patterns));
}

static OpFoldResult add(OpBuilder &builder, Location loc, OpFoldResult a,
                        OpFoldResult b) {
  AffineExpr first = builder.getAffineSymbolExpr(0);
  AffineExpr second = builder.getAffineSymbolExpr(1);
  return affine::makeComposedFoldedAffineApply(builder, loc, first + second,
                                               {a, b});
}

/// The boxes around the source: of each dimension the two ends, as wide as the
/// source in the dimensions before and as the result in those after.
static SmallVector<Box> getBorders(OpBuilder &builder, tensor::PadOp op,
                                   const Box &source,
                                   ArrayRef<OpFoldResult> result) {
  SmallVector<Box> boxes;
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad();
  OpFoldResult zero = builder.getIndexAttr(0);
  Box rest{SmallVector<OpFoldResult>(result.size(), zero),
           llvm::to_vector(result)};
  for (unsigned dim = 0; dim < result.size(); ++dim) {
    OpFoldResult end = add(builder, op.getLoc(), low[dim], source.sizes[dim]);
    for (auto [offset, size] :
         {std::pair(zero, low[dim]), std::pair(end, high[dim])}) {
      if (isZeroInteger(size))
        continue;
      boxes.push_back(rest);
      boxes.back().offsets[dim] = offset;
      boxes.back().sizes[dim] = size;
    }
    rest.offsets[dim] = source.offsets[dim];
    rest.sizes[dim] = source.sizes[dim];
  }
  return boxes;
}

static Value fillBox(OpBuilder &builder, Location loc, Value tensor,
                     const Box &box, Value value) {
  SmallVector<OpFoldResult> strides(box.sizes.size(), builder.getIndexAttr(1));
  Value slice = tensor::ExtractSliceOp::create(builder, loc, tensor,
                                               box.offsets, box.sizes, strides);
  Operation *fill = linalg::FillOp::create(builder, loc, value, slice);
  return tensor::InsertSliceOp::create(builder, loc, fill->getResult(0), tensor,
                                       box.offsets, box.sizes, strides);
}

/// Replaces a pad by fills of its borders and what `fillMiddle` makes of the
/// part of the result that the source has its place in.
static LogicalResult
replacePad(RewriterBase &rewriter, tensor::PadOp op,
           llvm::function_ref<Value(Value, const Box &)> fillMiddle) {
  Value value = op.getConstantPaddingValue();
  if (hasMarkedBorder(op))
    return rewriter.notifyMatchFailure(op, "read without its border");
  if (!value)
    return rewriter.notifyMatchFailure(op, "elements differ");
  if (value.getParentRegion() == &op.getRegion())
    value = rewriter.clone(*value.getDefiningOp())->getResult(0);
  Location loc = op.getLoc();
  Box source{op.getMixedLowPad(),
             tensor::getMixedSizes(rewriter, loc, op.getSource())};
  SmallVector<OpFoldResult> high = op.getMixedHighPad(), sizes;
  for (unsigned dim = 0; dim < high.size(); ++dim)
    sizes.push_back(add(
        rewriter, loc,
        add(rewriter, loc, source.offsets[dim], source.sizes[dim]), high[dim]));
  Value tensor = tensor::EmptyOp::create(rewriter, loc, sizes,
                                         op.getResultType().getElementType());
  for (const Box &box : getBorders(rewriter, op, source, sizes))
    tensor = fillBox(rewriter, loc, tensor, box, value);
  SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
  tensor = tensor::InsertSliceOp::create(rewriter, loc,
                                         fillMiddle(tensor, source), tensor,
                                         source.offsets, source.sizes, strides);
  if (tensor.getType() != op.getType())
    tensor = tensor::CastOp::create(rewriter, loc, op.getType(), tensor);
  rewriter.replaceOp(op, tensor);
  return success();
}

LogicalResult ExpandPad::matchAndRewrite(tensor::PadOp op,
                                         PatternRewriter &rewriter) const {
  return replacePad(rewriter, op,
                    [&](Value, const Box &) { return op.getSource(); });
}

linalg::GenericOp mlir::hetero::expandToCopy(RewriterBase &rewriter,
                                             tensor::PadOp op) {
  linalg::GenericOp copy;
  Location loc = op.getLoc();
  Value from = op.getSource();
  rewriter.setInsertionPoint(op);
  (void)replacePad(rewriter, op, [&](Value tensor, const Box &middle) {
    int64_t rank = middle.sizes.size();
    SmallVector<OpFoldResult> strides(rank, rewriter.getIndexAttr(1));
    Value to = tensor::ExtractSliceOp::create(rewriter, loc, op.getSourceType(),
                                              tensor, middle.offsets,
                                              middle.sizes, strides);
    AffineMap map = rewriter.getMultiDimIdentityMap(rank);
    copy = linalg::GenericOp::create(
        rewriter, loc, op.getSourceType(), from, to,
        ArrayRef<AffineMap>{map, map},
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
        [](OpBuilder &builder, Location loc, ValueRange arguments) {
          linalg::YieldOp::create(builder, loc, arguments.front());
        });
    return copy.getResult(0);
  });
  return copy;
}

LogicalResult mlir::hetero::expandPads(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  patterns.add<ExpandPad>(root->getContext());
  linalg::populateLinalgNamedOpsGeneralizationPatterns(patterns);
  return applyPatternsGreedily(root, std::move(patterns));
}
