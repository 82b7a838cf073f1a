//===- ContractQuantized.cpp - Products of integers instead of floats -----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %x = sx * (extend(%qx) - zx)
//   %w = sw * extend(%qw)
//   %y = matmul(%x, %w)
// becomes
//   %sums = matmul(extend(%qx), extend(%qw))              in i32
//   %y = (sx * sw) * (%sums - zx * sum(%qw))
//
//===----------------------------------------------------------------------===//

#include "IntegerProduct.h"
#include "JoinedOperations.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_CONTRACTQUANTIZEDPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Gives what is created the annotations of an operation, and remembers what is
/// erased.
struct CreatedLike : public RewriterBase::Listener {
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (like && !previous.isSet() && op->getBlock() == like->getBlock() &&
        isPlaceable(op))
      copyAnnotations(like, op);
  }
  void notifyOperationErased(Operation *op) override { erased.insert(op); }

  Operation *like = nullptr;
  llvm::SmallPtrSet<Operation *, 16> erased;
};
} // namespace

static remark::RemarkOpts remarkOfProduct(StringRef name) {
  return remark::RemarkOpts::name(name).category("hetero-contract-quantized");
}

/// Returns whether the operation was replaced.
static bool contract(IRRewriter &rewriter, CreatedLike &listener,
                     linalg::LinalgOp op) {
  StringRef reason;
  std::optional<IntegerProduct> product = IntegerProduct::match(op, reason);
  if (!product) {
    if (!reason.empty())
      remark::missed(op.getLoc(), remarkOfProduct("in floats"))
          << remark::add("{0} multiplies dequantized numbers",
                         describeLocation(op.getLoc()))
          << remark::reason("{0}", reason);
    return false;
  }
  listener.like = op;
  rewriter.setInsertionPoint(op);
  Value result = product->build(rewriter);
  listener.like = nullptr;
  remark::passed(op.getLoc(), remarkOfProduct("in integers"))
      << remark::add("{0} multiplies integers", describeLocation(op.getLoc()));
  SmallVector<Operation *> unused;
  for (Value operand : op->getOperands())
    unused.push_back(operand.getDefiningOp());
  rewriter.replaceOp(op, result);
  eraseUnusedProducers(rewriter, unused);
  return true;
}

namespace {
struct ContractQuantizedPass
    : public mlir::hetero::impl::ContractQuantizedPassBase<
          ContractQuantizedPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) > Phase::Annotated)
      return;
    SmallVector<linalg::LinalgOp> products;
    module.walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() != 0)
        products.push_back(op);
    });
    PinCount pins(module);
    CreatedLike listener;
    IRRewriter rewriter(&getContext(), &listener);
    int64_t count = 0;
    for (linalg::LinalgOp op : products)
      if (!listener.erased.contains(op))
        count += contract(rewriter, listener, op);
    pins.update();
    remarkSummary(module, getArgument(), {{"contracted", count}});
  }
};
} // namespace
