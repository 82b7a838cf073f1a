//===- CollapseLoops.cpp - Makes one loop of several ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = conv(%x : tensor<1x64x56x56xf32>, %w : tensor<256x64x1x1xf32>)
//   %z = relu(%y : tensor<1x256x56x56xf32>)
//
// becomes, between reshapes that cost nothing, a product with 3136 columns:
//
//   %y = product(%w : tensor<256x64xf32>, %x : tensor<1x64x3136xf32>)
//   %z = relu(%y : tensor<1x256x3136xf32>)
//
// Long loops leave less of a vector unused, and need fewer ends.
//
//===----------------------------------------------------------------------===//

#include "CollapseLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::hetero;

static bool isContraction(linalg::LinalgOp op) {
  return op.getNumReductionLoops() != 0 && op.getNumDpsInputs() > 1 &&
         op.hasPureTensorSemantics();
}

/// True if the loop is that of the last of a result's dimensions.
static bool isLastOfResult(linalg::GenericOp op, unsigned loop) {
  return op.getNumDpsInits() == 1 &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getNumResults() >
             1 &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                 .getResults()
                 .back() == getAffineDimExpr(loop, op.getContext());
}

/// True if no operand has a window along the loop, of which more may be there
/// than the window's loop reads: without the loop, nothing would say how much.
static bool isAlone(linalg::GenericOp op, unsigned loop) {
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
      return isa<AffineDimExpr>(expr) || !expr.isFunctionOfDim(loop);
    });
  });
}

/// Loops with one iteration: reductions, as those over a window of one element,
/// and the columns of a result with one. Without these it is the elements of a
/// vector that are next to each other.
static SmallVector<unsigned> getUnitLoops(Operation *operation) {
  SmallVector<unsigned> loops;
  auto op = dyn_cast<linalg::GenericOp>(operation);
  if (!op || !isContraction(op))
    return loops;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (sizes[loop] == 1 && (iterator == utils::IteratorType::reduction ||
                             (isLastOfResult(op, loop) && isAlone(op, loop))))
      loops.push_back(loop);
  return loops;
}

/// Parallel loops next to each other that every operand follows in the same
/// order, or not at all.
static SmallVector<ReassociationIndices>
getCollapsibleLoops(linalg::LinalgOp op) {
  SmallVector<ReassociationIndices> sequences;
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !isContraction(op))
    return sequences;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // In 2 * i, upstream's query for sequences does not see i.
  if (!llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return sequences;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  auto isCandidate = [&](unsigned loop) {
    return iterators[loop] == utils::IteratorType::parallel &&
           !ShapedType::isDynamic(sizes[loop]);
  };
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    ReassociationIndices sequence = {loop};
    while (isCandidate(loop) && loop + 1 < sizes.size() &&
           isCandidate(loop + 1)) {
      sequence.push_back(loop + 1);
      if (!linalg::areDimSequencesPreserved(maps, {sequence})) {
        sequence.pop_back();
        break;
      }
      ++loop;
    }
    if (sequence.size() > 1)
      sequences.push_back(sequence);
  }
  return sequences;
}

/// True if several dimensions of unknown size are made of one: upstream does
/// not find out how a tensor that is expanded so lies in memory.
template <typename ReshapeOp>
static bool expandsUnknown(ReshapeOp reshape, RankedTensorType expanded) {
  return llvm::any_of(reshape.getReassociationIndices(),
                      [&](ArrayRef<int64_t> group) {
                        return llvm::count_if(group, [&](int64_t dim) {
                                 return expanded.isDynamicDim(dim);
                               }) > 1;
                      });
}

/// True for a pad of a scalar that is reshaped to dimensions of size 1. They
/// belong to no dimension of the scalar, so that upstream would not see that
/// they are padded.
static bool padsScalar(Operation *user, tensor::ExpandShapeOp expand) {
  return isa<tensor::PadOp>(user) && expand.getSrcType().getRank() == 0;
}

/// True for what elementwise operations make of a contraction's result, with
/// the loops that this has.
static bool followsContraction(Value value) {
  // Longer chains are not followed.
  constexpr size_t kMaxOperations = 16;
  llvm::SetVector<Operation *> chain;
  auto add = [&](Value operand) {
    // Between two steps of the rewriter there may be reshapes that cancel out.
    while (Operation *reshape = operand.getDefiningOp()) {
      if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reshape))
        break;
      operand = reshape->getOperand(0);
    }
    if (auto producer = operand.getDefiningOp<linalg::GenericOp>())
      chain.insert(producer);
  };
  add(value);
  for (size_t next = 0; next < chain.size() && next < kMaxOperations; ++next) {
    auto op = cast<linalg::GenericOp>(chain[next]);
    if (isContraction(op))
      return true;
    if (op.getNumReductionLoops() == 0)
      llvm::for_each(op.getDpsInputs(), add);
  }
  return false;
}

/// True for a reshape of what follows no contraction, as a residual may be,
/// where another operand follows one: the operation has its loops already.
static bool wouldPart(OpOperand *operand, tensor::ExpandShapeOp expand) {
  auto reader = dyn_cast<linalg::GenericOp>(operand->getOwner());
  bool isOwn = expand.getSrc().getDefiningOp<linalg::GenericOp>() &&
               followsContraction(expand.getSrc());
  return reader && !isOwn &&
         llvm::any_of(reader->getOpOperands(), [&](OpOperand &other) {
           return &other != operand && followsContraction(other.get());
         });
}

/// Takes the reshapes through the operations around, so that these have the
/// same loops as the contraction and can share its tiles.
static bool isBetweenGenerics(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  Operation *user = operand->getOwner();
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
      collapse && (expandsUnknown(collapse, collapse.getSrcType()) ||
                   followsContraction(collapse.getSrc())))
    return false;
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(producer);
      expand && (expandsUnknown(expand, expand.getResultType()) ||
                 wouldPart(operand, expand) || padsScalar(user, expand)))
    return false;
  return producer && producer->getBlock() == user->getBlock();
}

LogicalResult mlir::hetero::collapseLoops(Operation *root) {
  MLIRContext *context = root->getContext();
  {
    RewritePatternSet patterns(context);
    linalg::ControlDropUnitDims control;
    control.controlFn = getUnitLoops;
    linalg::populateFoldUnitExtentDimsPatterns(patterns, control);
    if (failed(applyPatternsGreedily(root, std::move(patterns))))
      return failure();
  }
  RewritePatternSet patterns(context);
  linalg::populateCollapseDimensions(patterns, getCollapsibleLoops);
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns,
                                                     isBetweenGenerics);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(root, std::move(patterns));
}
