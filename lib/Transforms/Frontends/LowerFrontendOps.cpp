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

#include "IndexShapes.h"
#include "LowerControlFlow.h"
#include "SoftmaxOnBuffers.h"
#include "StateOnBuffers.h"
#include "TosaControlFlow.h"
#include "TosaPads.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Checks/GuardArcTangents.h"
#include "hetero/Transforms/Frontends/LowerTosa.h"
#include "hetero/Transforms/Passes.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Conversion/ShapeToStandard/ShapeToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

namespace mlir::hetero {
#define GEN_PASS_DEF_LOWERFRONTENDOPSPASS
#include "hetero/Transforms/Passes.h.inc"
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

/// Loops, branches and variables of other dialects than scf; those of affine on
/// memrefs alone are lowered with the rest of the host's code, unless memrefs
/// leave them: upstream's deallocation cannot add results to them.
static bool isForeignControlFlow(Operation *op) {
  if (isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineParallelOp>(
          op))
    return worksOnTensors(op) ||
           llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
  return isa<tosa::IfOp, tosa::WhileOp, tosa::VariableOp, tosa::VariableReadOp,
             tosa::VariableWriteOp>(op);
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

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Upstream folds a write of what has been read, where the vector is as large
/// as the tensor (or may turn out to be), as if it had no mask. There, the old
/// elements are selected instead.
static void selectMaskedElements(ModuleOp module) {
  SmallVector<vector::TransferWriteOp> writes;
  module.walk([&](vector::TransferWriteOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getBase().getType());
    if (type && op.getMask() && op.getPermutationMap().isMinorIdentity() &&
        succeeded(verifyCompatibleShape(op.getVectorType().getShape(),
                                        type.getShape())))
      writes.push_back(op);
  });
  for (vector::TransferWriteOp op : writes) {
    OpBuilder builder(op);
    VectorType type = op.getVectorType();
    // Places that are outside were masked out.
    SmallVector<bool> isInside(type.getRank(), false);
    Value old =
        vector::TransferReadOp::create(builder, op.getLoc(), type, op.getBase(),
                                       op.getIndices(), std::nullopt, isInside);
    Value chosen = arith::SelectOp::create(builder, op.getLoc(), op.getMask(),
                                           op.getVector(), old);
    op.getValueToStoreMutable().assign(chosen);
    op.getMaskMutable().clear();
    op.setInBoundsAttr(builder.getBoolArrayAttr(isInside));
  }
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
    // Before anything folds.
    guardArcTangents(module);
    module.walk([](scf::ExecuteRegionOp op) { uniteEnds(op); });
    selectMaskedElements(module);
    int64_t buffers = decomposeSoftmaxOnBuffers(module);
    int64_t states = liftStateFromBuffers(module);
    if (failed(completeTosaTypes(module)))
      return signalPassFailure();
    lowerComputedPads(module);
    useIndexShapes(module);
    FailureOr<int64_t> loops = lowerControlFlow(module, isForeignControlFlow);
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
                   {"softmax-on-buffers", buffers},
                   {"states-on-buffers", states}});
  }
};
} // namespace
