//===- JoinReshapes.cpp - Reshapes of reshapes ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = tensor.collapse_shape %x [[0, 1], [2]] : 2x3x4 into 6x4
//   %1 = tensor.collapse_shape %0 [[0, 1]] : 6x4 into 24
//     ->
//   %1 = tensor.collapse_shape %x [[0, 1, 2]] : 2x3x4 into 24
//
// The patterns are upstream's, which know no annotations.
//
//===----------------------------------------------------------------------===//

#include "JoinReshapes.h"

#include "JoinedOperations.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::hetero;

/// With several dynamic sizes it may not be known which is which.
static bool hasPlainShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getNumDynamicDims() <= 1;
}

/// True if the reshape may take over the one that it reads.
static bool mayTakeOver(Operation *op) {
  Operation *from = op->getOperand(0).getDefiningOp();
  DeviceAttr device = getDevice(op);
  return from && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(from) &&
         mayJoin(op, device) && mayJoin(from, device) &&
         hasPlainShape(from->getOperand(0)) && hasPlainShape(op->getResult(0));
}

namespace {
/// One of upstream's patterns, for what may be joined.
template <typename Pattern, typename OpTy> struct Joining : Pattern {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    return mayTakeOver(op) ? Pattern::matchAndRewrite(op, rewriter) : failure();
  }
};

using ExpandTwice =
    Joining<ComposeReassociativeReshapeOps<tensor::ExpandShapeOp,
                                           ReshapeOpKind::kExpand>,
            tensor::ExpandShapeOp>;
using CollapseTwice =
    Joining<ComposeReassociativeReshapeOps<tensor::CollapseShapeOp,
                                           ReshapeOpKind::kCollapse>,
            tensor::CollapseShapeOp>;
using CollapseExpanded = Joining<
    ComposeCollapseOfExpandOp<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                              tensor::CastOp, tensor::DimOp, RankedTensorType>,
    tensor::CollapseShapeOp>;
using ExpandCollapsed = Joining<
    ComposeExpandOfCollapseOp<tensor::ExpandShapeOp, tensor::CollapseShapeOp>,
    tensor::ExpandShapeOp>;

/// Two that cancel.
template <typename OpTy, typename FromTy>
struct Cancel : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto from = op.getSrc().template getDefiningOp<FromTy>();
    if (!from || from.getSrc().getType() != op.getType() ||
        from.getReassociationIndices() != op.getReassociationIndices() ||
        !mayTakeOver(op))
      return rewriter.notifyMatchFailure(op, "it reads no reverse of itself");
    rewriter.replaceOp(op, from.getSrc());
    return success();
  }
};

/// Gives what is made the annotations and locations of both.
class ReshapeListener : public RewriterBase::Listener {
public:
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    made.insert(op);
  }

  void notifyOperationReplaced(Operation *op, ValueRange values) override {
    ++joined;
    Operation *by = values.front().getDefiningOp();
    if (!by || !made.contains(by))
      return;
    copyAnnotations(op, by);
    Operation *from = op->getOperand(0).getDefiningOp();
    by->setLoc(FusedLoc::get(op->getContext(), {op->getLoc(), from->getLoc()}));
  }

  int64_t joined = 0;

private:
  llvm::DenseSet<Operation *> made;
};
} // namespace

FailureOr<int64_t> mlir::hetero::joinReshapes(ModuleOp module) {
  SmallVector<Operation *> reshapes;
  module.walk([&](Operation *op) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      reshapes.push_back(op);
  });
  RewritePatternSet patterns(module.getContext());
  patterns.add<ExpandTwice, CollapseTwice, CollapseExpanded, ExpandCollapsed,
               Cancel<tensor::ExpandShapeOp, tensor::CollapseShapeOp>,
               Cancel<tensor::CollapseShapeOp, tensor::ExpandShapeOp>>(
      module.getContext());
  ReshapeListener listener;
  GreedyRewriteConfig config;
  // Folding would join what has annotations, too.
  config.enableFolding(false).enableConstantCSE(false);
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  config.setListener(&listener);
  if (failed(applyOpPatternsGreedily(reshapes, std::move(patterns), config)))
    return failure();
  return listener.joined;
}
