//===- LowerFrontendOps.cpp - Control flow and shapes of front ends -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = affine.for %i = 0 to 3 iter_args(%t = %x) -> tensor<4xf32> {
//     %u = arith.addf %t, %x {hetero.device = #hetero.device<gpu:0>}
//     affine.yield %u
//   }
//
// becomes
//
//   %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) {
//     %u = arith.addf %t, %x {hetero.device = #hetero.device<gpu:0>}
//     scf.yield %u
//   }
//
//===----------------------------------------------------------------------===//

#include "Frontends/LowerTosa.h"
#include "Frontends/SoftmaxOnBuffers.h"
#include "Frontends/TosaControlFlow.h"
#include "Frontends/TosaPads.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Dialect/Hetero/Transforms/Passes.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ShapeToStandard/ShapeToStandard.h"
#include "mlir/Conversion/TosaToMLProgram/TosaToMLProgram.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Shape/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_LOWERFRONTENDOPSPASS
#include "hetero/Dialect/Hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// True if an operation on tensors is inside, or the operation passes some on.
static bool worksOnTensors(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return hasTensors(inner) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Loops and branches of other dialects than scf; those of affine on memrefs
/// alone are lowered with the rest of the host's code, unless memrefs leave
/// them: upstream's deallocation cannot add results to them.
static bool isForeignControlFlow(Operation *op) {
  if (isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineParallelOp>(
          op))
    return worksOnTensors(op) ||
           llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  return isa<tosa::IfOp, tosa::WhileOp>(op);
}

static void addPatterns(RewritePatternSet &patterns) {
  populateAffineToStdConversionPatterns(patterns);
  tosa::populateTosaToSCFConversionPatterns(&patterns);
  tosa::populateTosaToMLProgramConversionPatterns(&patterns);
}

/// The operations from one after `before` (the block's first, where that is
/// null) up to `after` which are control flow get the annotations.
static void annotateBetween(Block *block, Operation *before, Operation *after,
                            ArrayRef<NamedAttribute> annotations) {
  Operation *op = before ? before->getNextNode() : &block->front();
  for (; op && op != after; op = op->getNextNode())
    if (isControlFlow(op))
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
static SmallVector<Operation *> collectControlFlow(ModuleOp module) {
  SetVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto isInLowered = [&] {
      for (Operation *at = op->getParentOp(); at; at = at->getParentOp())
        if (ops.contains(at))
          return true;
      return false;
    };
    if (isForeignControlFlow(op) ||
        isa<tosa::VariableOp, tosa::VariableReadOp, tosa::VariableWriteOp>(
            op) ||
        (needsAffineLoops(op) && isInLowered()))
      ops.insert(op);
  });
  return llvm::to_vector(llvm::reverse(ops));
}

/// Returns how many operations there were.
static FailureOr<int64_t> lowerControlFlow(ModuleOp module) {
  SmallVector<Operation *> ops = collectControlFlow(module);
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

/// Bufferization takes one scf.yield of an scf.execute_region: where there are
/// more, the blocks that they end branch to one that has it.
static void uniteEnds(scf::ExecuteRegionOp op) {
  SmallVector<scf::YieldOp> yields;
  for (Block &block : op.getRegion())
    if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
      yields.push_back(yield);
  if (yields.size() < 2)
    return;
  OpBuilder builder(op.getContext());
  Block *end = builder.createBlock(
      &op.getRegion(), op.getRegion().end(), op.getResultTypes(),
      SmallVector<Location>(op.getNumResults(), op.getLoc()));
  scf::YieldOp::create(builder, op.getLoc(), end->getArguments());
  for (scf::YieldOp yield : yields) {
    builder.setInsertionPoint(yield);
    cf::BranchOp::create(builder, yield.getLoc(), end, yield.getResults());
    yield.erase();
  }
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// What is required of shapes is checked when the program runs.
static void addConstraintPasses(OpPassManager &manager) {
  OpPassManager &function = manager.nest<func::FuncOp>();
  function.addPass(createShapeToShapeLoweringPass());
  function.addPass(createConvertShapeConstraintsPass());
  function.addPass(createRemoveShapeConstraintsPass());
}

/// What was computed under a requirement is computed after its assertion.
static void inlineAssumptions(ModuleOp module) {
  SmallVector<shape::AssumingOp> ops;
  module.walk([&](shape::AssumingOp op) { ops.push_back(op); });
  IRRewriter rewriter(module.getContext());
  for (shape::AssumingOp op : ops) {
    Operation *yield = op.getBody()->getTerminator();
    SmallVector<Value> results(yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(op.getBody(), op);
    rewriter.replaceOp(op, results);
  }
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isa<shape::AssumingAllOp, shape::ConstWitnessOp>(op) && op->use_empty())
      op->erase();
  });
}

/// Returns how many operations there were.
static FailureOr<int64_t>
lowerShapes(ModuleOp module, function_ref<LogicalResult(OpPassManager &)> run) {
  int64_t count = 0;
  module.walk([&](Operation *op) {
    count += isa_and_present<shape::ShapeDialect>(op->getDialect());
  });
  if (count == 0)
    return 0;
  OpPassManager constraints(ModuleOp::getOperationName());
  addConstraintPasses(constraints);
  if (failed(run(constraints)))
    return failure();
  inlineAssumptions(module);
  OpPassManager rest(ModuleOp::getOperationName());
  rest.addPass(createConvertShapeToStandardPass());
  if (failed(run(rest)))
    return failure();
  return count;
}

namespace {
struct LowerFrontendOpsPass
    : public mlir::hetero::impl::LowerFrontendOpsPassBase<
          LowerFrontendOpsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    OpPassManager manager(ModuleOp::getOperationName());
    addConstraintPasses(manager);
    addTosaDialects(registry);
    manager.addPass(createConvertShapeToStandardPass());
    manager.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) > Phase::Annotated)
      return;
    module.walk([](scf::ExecuteRegionOp op) { uniteEnds(op); });
    int64_t buffers = decomposeSoftmaxOnBuffers(module);
    if (failed(completeTosaTypes(module)))
      return signalPassFailure();
    lowerComputedPads(module);
    FailureOr<int64_t> loops = lowerControlFlow(module);
    if (failed(loops))
      return signalPassFailure();
    FailureOr<int64_t> shapes = lowerShapes(module, [&](OpPassManager &passes) {
      return runPipeline(passes, module);
    });
    if (failed(shapes))
      return signalPassFailure();
    remarkSummary(module, getArgument(),
                  {{"control-flow", *loops},
                   {"shapes", *shapes},
                   {"softmax-on-buffers", buffers}});
  }
};
} // namespace
