//===- LowerControlFlow.cpp - Loops and branches of front ends ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = affine.for %i = 0 to 3 iter_args(%t = %x) {hetero.device = ...}
//     ->
//   %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x)
//            {hetero.device = ...}
//
//===----------------------------------------------------------------------===//

#include "LowerControlFlow.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/TosaToMLProgram/TosaToMLProgram.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::hetero;

static void addPatterns(RewritePatternSet &patterns) {
  populateAffineToStdConversionPatterns(patterns);
  tosa::populateTosaToSCFConversionPatterns(&patterns);
  tosa::populateTosaToMLProgramConversionPatterns(&patterns);
}

/// The operations from one after `before` (the block's first, where that is
/// null) up to `after` which are control flow, state, or use state get the
/// annotations.
static void annotateBetween(Block *block, Operation *before, Operation *after,
                            ArrayRef<NamedAttribute> annotations) {
  Operation *op = before ? before->getNextNode() : &block->front();
  for (; op && op != after; op = op->getNextNode())
    if (isControlFlow(op) || isa<SymbolOpInterface>(op) || getStateName(op))
      for (NamedAttribute attr : annotations)
        op->setAttr(attr.getName(), attr.getValue());
}

/// Lowers one operation, of which nothing inside is left to be lowered. What
/// replaces it takes its annotations over.
static LogicalResult lowerOne(Operation *op, const ConversionTarget &target,
                              const FrozenRewritePatternSet &patterns) {
  SmallVector<NamedAttribute> annotations;
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (isa_and_present<HeteroDialect>(attr.getNameDialect()))
      annotations.push_back(attr);
  Block *block = op->getBlock();
  Operation *before = op->getPrevNode(), *after = op->getNextNode();
  if (failed(applyPartialConversion(op, target, patterns)))
    return failure();
  annotateBetween(block, before, after, annotations);
  return success();
}

/// Operations of affine whose operands must be induction variables of affine
/// loops, or other values that its verifiers know.
static bool needsAffineLoops(Operation *op) {
  return isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineParallelOp,
             affine::AffineLoadOp, affine::AffineStoreOp,
             affine::AffineVectorLoadOp, affine::AffineVectorStoreOp,
             affine::AffinePrefetchOp, affine::AffineApplyOp,
             affine::AffineMinOp, affine::AffineMaxOp>(op);
}

/// What is lowered, inner operations first. In a loop that is, what uses its
/// induction variable is, too.
static SmallVector<Operation *>
collect(ModuleOp module, function_ref<bool(Operation *)> isRoot) {
  SetVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto isInLowered = [&] {
      for (Operation *at = op->getParentOp(); at; at = at->getParentOp())
        if (ops.contains(at))
          return true;
      return false;
    };
    if (isRoot(op) || (needsAffineLoops(op) && isInLowered()))
      ops.insert(op);
  });
  return llvm::to_vector(llvm::reverse(ops));
}

FailureOr<int64_t>
mlir::hetero::lowerControlFlow(ModuleOp module,
                               function_ref<bool(Operation *)> isRoot) {
  SmallVector<Operation *> ops = collect(module, isRoot);
  if (ops.empty())
    return 0;
  RewritePatternSet set(module.getContext());
  addPatterns(set);
  FrozenRewritePatternSet patterns(std::move(set));
  ConversionTarget target(*module.getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target.addIllegalOp<tosa::IfOp, tosa::WhileOp, tosa::VariableOp,
                      tosa::VariableReadOp, tosa::VariableWriteOp>();
  target.addDynamicallyLegalDialect<affine::AffineDialect>(
      [](Operation *op) { return !needsAffineLoops(op); });
  target.addDynamicallyLegalOp<affine::AffineYieldOp>([](Operation *op) {
    return isa<affine::AffineDialect>(op->getParentOp()->getDialect());
  });
  for (Operation *op : ops)
    if (failed(lowerOne(op, target, patterns)))
      return failure();
  return static_cast<int64_t>(ops.size());
}
