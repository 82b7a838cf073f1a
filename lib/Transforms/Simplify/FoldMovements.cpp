//===- FoldMovements.cpp - Reads what was moved in its old place ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = linalg.broadcast ins(%bias) dimensions = [0]
//   %1 = linalg.generic {maps = [(d0, d1) -> (d0, d1), ...]} ins(%0, ...)
// becomes
//   %1 = linalg.generic {maps = [(d0, d1) -> (d1), ...]} ins(%bias, ...)
//
// Fusion does it inside of a region; before placement it spares the tensor on
// every device, and its copies.
//
//===----------------------------------------------------------------------===//

#include "JoinReshapes.h"
#include "JoinedOperations.h"
#include "ReadThrough.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_FOLDMOVEMENTSPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// True for elementwise operations and products of matrices whose maps can be
/// others.
static bool mayReadElsewhere(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return false;
  if (isa<linalg::GenericOp>(op))
    return op.getNumReductionLoops() == 0 ||
           linalg::isaContractionOpInterface(op);
  return isa<linalg::MatmulOp, linalg::BatchMatmulOp, linalg::ContractOp>(op);
}

/// True if the operation has the same element in several places.
static bool repeatsElements(linalg::LinalgOp op) {
  return op.getMatchingIndexingMap(op.getDpsInputOperand(0)).getNumResults() <
         op.getNumLoops();
}

/// What an operand is read from; the operand's own tensor if nothing is gained.
/// Adds the locations of what it is read through.
static ReadTensor findSource(linalg::LinalgOp op, OpOperand *operand,
                             SmallVectorImpl<Location> &locations) {
  DeviceAttr device = getDevice(op);
  return readThrough(operand->get(), op.getMatchingIndexingMap(operand),
                     [&](Operation *moved) {
                       bool mayPass =
                           mayJoin(moved, device) &&
                           (moved->hasOneUse() ||
                            repeatsElements(cast<linalg::LinalgOp>(moved)));
                       if (mayPass)
                         locations.push_back(moved->getLoc());
                       return mayPass;
                     });
}

/// Sets what the operand is and how it is read. False where the loops could not
/// be told any more, or the operation has no such maps.
static bool setOperand(RewriterBase &rewriter, linalg::LinalgOp op,
                       OpOperand *operand, ReadTensor read) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand->getOperandNumber()] = read.map;
  // MLIR 22's verifiers of named products crash at a map without results.
  if (read.map.getNumResults() == 0 && !isa<linalg::GenericOp>(op))
    return false;
  if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
    return false;
  Attribute before = op->getAttr("indexing_maps");
  Value old = operand->get();
  rewriter.modifyOpInPlace(op, [&] {
    op->setAttr("indexing_maps", rewriter.getAffineMapArrayAttr(maps));
    operand->set(read.source);
  });
  // Named products verify what their maps may be.
  ScopedDiagnosticHandler silence(op.getContext(),
                                  [](Diagnostic &) { return success(); });
  if (succeeded(verify(op, /*verifyRecursively=*/false)))
    return true;
  rewriter.modifyOpInPlace(op, [&] {
    if (before)
      op->setAttr("indexing_maps", before);
    else
      op->removeAttr("indexing_maps");
    operand->set(old);
  });
  return false;
}

namespace {
struct FoldMovementsPass
    : public mlir::hetero::impl::FoldMovementsPassBase<FoldMovementsPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) > Phase::Annotated)
      return;
    PinCount pins(module);
    FailureOr<int64_t> reshapes = joinReshapes(module);
    if (failed(reshapes))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    module.walk([&](linalg::LinalgOp op) {
      if (mayReadElsewhere(op))
        ops.push_back(op);
    });
    SmallVector<Operation *> unused;
    int64_t folded = 0;
    for (linalg::LinalgOp op : ops)
      for (OpOperand *operand : op.getDpsInputOperands())
        folded += fold(rewriter, op, operand, unused);
    eraseUnusedProducers(rewriter, unused);
    pins.update();
    remarkSummary(module, getArgument(),
                  {{"folded", folded}, {"reshapes", *reshapes}});
  }

  /// True if the operand is read elsewhere now.
  bool fold(RewriterBase &rewriter, linalg::LinalgOp op, OpOperand *operand,
            SmallVectorImpl<Operation *> &unused) {
    if (!isa<RankedTensorType>(operand->get().getType()))
      return false;
    Operation *moved = operand->get().getDefiningOp();
    SmallVector<Location> locations = {op->getLoc()};
    ReadTensor read = findSource(op, operand, locations);
    if (read.source == operand->get() ||
        !setOperand(rewriter, op, operand, read))
      return false;
    remark::passed(op->getLoc(),
                   remark::RemarkOpts::name("folded").category(getArgument()))
        << remark::add("'{0}' reads what '{1}' has moved",
                       op->getName().getStringRef(),
                       moved->getName().getStringRef());
    op->setLoc(rewriter.getFusedLoc(locations));
    unused.push_back(moved);
    return true;
  }
};
} // namespace
