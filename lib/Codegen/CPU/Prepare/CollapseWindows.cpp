//===- CollapseWindows.cpp - Makes one loop of windows and channels -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of an image whose channels are next to each other, a row of a window is a
// piece of memory:
//
//   %y = conv(%x : tensor<1x58x58x64xf32>, %w : tensor<3x3x64x32xf32>)
//          x[n, y + i, p + j, c] * w[i, j, c, f]
//
// becomes, between reshapes that cost nothing,
//
//   %y = conv(%x : tensor<1x58x3712xf32>, %w : tensor<3x192x32xf32>)
//          x[n, y + i, 64 * p + k] * w[i, k, f]
//
// One long loop of sums has fewer ends than several short ones: an end that the
// processor has not foreseen costs it as much as several steps.
//
//===----------------------------------------------------------------------===//

#include "CollapseWindows.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Two loops of a reduction that are one: `inner` has `size` iterations.
struct LoopPair {
  unsigned outer, inner;
  int64_t size;
};

struct CollapseWindow : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override;
};

/// A pad after a reshape that collapses dimensions, of which it only fills up
/// the outermost, is one before it.
struct CollapsePad : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// The dimension of `operand` that follows the outer loop, and after which one
/// follows the inner loop alone, over all of its elements. -1 if the operand
/// follows neither loop, none if it follows them in another way.
static std::optional<int> findDimension(linalg::GenericOp op,
                                        OpOperand &operand, LoopPair pair) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  AffineExpr outer = getAffineDimExpr(pair.outer, op.getContext());
  AffineExpr inner = getAffineDimExpr(pair.inner, op.getContext());
  if (!map.isFunctionOfDim(pair.outer) && !map.isFunctionOfDim(pair.inner))
    return -1;
  std::optional<int> found;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(pair.outer) && !expr.isFunctionOfDim(pair.inner))
      continue;
    if (found && dim == *found + 1u)
      continue;
    AffineExpr rest = simplifyAffineExpr(expr - outer, op.getNumLoops(), 0);
    if (found || rest.isFunctionOfDim(pair.outer) ||
        expr.isFunctionOfDim(pair.inner) || dim + 1 == map.getNumResults() ||
        map.getResult(dim + 1) != inner)
      return std::nullopt;
    found = dim;
  }
  auto type = cast<RankedTensorType>(operand.get().getType());
  if (!found || type.getDimSize(*found + 1) != pair.size ||
      operand.get().getDefiningOp<tensor::ExtractSliceOp>())
    return std::nullopt;
  return found;
}

/// True if an operand has a window along the outer loop of the pair.
static bool hasWindow(linalg::GenericOp op, LoopPair pair) {
  return llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
      return !isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(pair.outer);
    });
  });
}

static std::optional<LoopPair> findLoops(linalg::GenericOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned outer : reductions)
    for (unsigned inner : reductions) {
      LoopPair pair = {outer, inner, sizes[inner]};
      if (outer != inner && !ShapedType::isDynamic(sizes[outer]) &&
          !ShapedType::isDynamic(sizes[inner]) && hasWindow(op, pair) &&
          llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
            return findDimension(op, operand, pair).has_value();
          }))
        return pair;
    }
  return std::nullopt;
}

/// The reassociation that makes one of `dim` and the one after it.
static SmallVector<ReassociationIndices> mergeWithNext(int64_t rank, int dim) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < rank; ++i)
    if (i == dim + 1)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  return groups;
}

/// The place of an operand when both loops are one, the inner one being gone.
static AffineMap collapseMap(linalg::GenericOp op, OpOperand &operand,
                             LoopPair pair, int dimension) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> loops, exprs;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    loops.push_back(
        getAffineDimExpr(loop - (loop > pair.inner ? 1 : 0), context));
  loops[pair.inner] = getAffineConstantExpr(0, context);
  AffineExpr outer = getAffineDimExpr(pair.outer, context);
  for (int dim = 0; dim < static_cast<int>(map.getNumResults()); ++dim) {
    AffineExpr expr = map.getResult(dim);
    if (dimension >= 0 && dim == dimension + 1)
      continue;
    if (dim == dimension)
      expr = (expr - outer) * pair.size + outer;
    exprs.push_back(
        simplifyAffineExpr(expr.replaceDims(loops), op.getNumLoops() - 1, 0));
  }
  return AffineMap::get(op.getNumLoops() - 1, 0, exprs, context);
}

LogicalResult CollapseWindow::matchAndRewrite(linalg::GenericOp op,
                                              PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || op.hasIndexSemantics())
    return rewriter.notifyMatchFailure(op, "body reads the loops' indices");
  std::optional<LoopPair> pair = findLoops(op);
  if (!pair)
    return rewriter.notifyMatchFailure(op, "no window of whole pixels");
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    int dim = *findDimension(op, operand, *pair);
    maps.push_back(collapseMap(op, operand, *pair, dim));
    int64_t rank = op.getRank(&operand);
    operands.push_back(dim < 0 ? operand.get()
                               : tensor::CollapseShapeOp::create(
                                     rewriter, op.getLoc(), operand.get(),
                                     mergeWithNext(rank, dim)));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.erase(iterators.begin() + pair->inner);
  unsigned inputs = op.getNumDpsInputs();
  auto collapsed = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(),
      ArrayRef(operands).take_front(inputs),
      ArrayRef(operands).drop_front(inputs), maps, iterators);
  rewriter.inlineRegionBefore(op.getRegion(), collapsed.getRegion(),
                              collapsed.getRegion().end());
  rewriter.replaceOp(op, collapsed);
  return success();
}

LogicalResult CollapsePad::matchAndRewrite(tensor::CollapseShapeOp op,
                                           PatternRewriter &rewriter) const {
  auto pad = op.getSrc().getDefiningOp<tensor::PadOp>();
  Value value = pad ? pad.getConstantPaddingValue() : Value();
  if (!value || !pad->hasOneUse())
    return rewriter.notifyMatchFailure(op, "not of a pad of its own");
  SmallVector<OpFoldResult> lows, highs;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t size = 1;
    for (int64_t dim : ArrayRef(group).drop_front()) {
      if (pad.getStaticLow()[dim] != 0 || pad.getStaticHigh()[dim] != 0 ||
          pad.getSourceType().isDynamicDim(dim))
        return rewriter.notifyMatchFailure(op, "an inner dimension is padded");
      size *= pad.getSourceType().getDimSize(dim);
    }
    int64_t low = pad.getStaticLow()[group.front()];
    int64_t high = pad.getStaticHigh()[group.front()];
    if (ShapedType::isDynamic(low) || ShapedType::isDynamic(high))
      return rewriter.notifyMatchFailure(op, "borders have no known sizes");
    lows.push_back(rewriter.getIndexAttr(low * size));
    highs.push_back(rewriter.getIndexAttr(high * size));
  }
  if (value.getParentRegion() == &pad.getRegion())
    value = rewriter.clone(*value.getDefiningOp())->getResult(0);
  Value source = tensor::CollapseShapeOp::create(
      rewriter, op.getLoc(), pad.getSource(), op.getReassociationIndices());
  rewriter.replaceOpWithNewOp<tensor::PadOp>(op, op.getResultType(), source,
                                             lows, highs, value);
  return success();
}

LogicalResult mlir::hetero::collapseWindows(Operation *root) {
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  patterns.add<CollapseWindow, CollapsePad>(context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(root, std::move(patterns));
}
