//===- TestCPUCodegen.cpp - Test passes for code generation ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  * test-inline-host-regions puts the body of each host region in its place,
//    so that upstream's bufferization can run on it alone.
//  * test-lower-host-loops runs the lowering of host code without the rest of
//    hetero-to-llvm.
//  * test-hetero-decompose and test-hetero-fuse-elementwise run one step of
//    code generation on whole functions.
//  * test-hetero-move-channels-last does so with the orders of images, those
//  that
//    take the fewest cycles, or any.
//
//===----------------------------------------------------------------------===//

#include "Codegen/CPU/Layout/MoveChannelsLast.h"
#include "Codegen/CPU/Prepare/Pads.h"
#include "hetero/Codegen/Common/FuseElementwise.h"
#include "hetero/Codegen/Decompose/Decompose.h"
#include "hetero/Conversion/HostLoops/LowerHostLoops.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <random>

using namespace mlir;
using namespace mlir::hetero;

namespace {
struct TestInlineHostRegions
    : PassWrapper<TestInlineHostRegions, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestInlineHostRegions)
  StringRef getArgument() const final { return "test-inline-host-regions"; }
  StringRef getDescription() const final {
    return "Inlines every hetero.execute on the host";
  }
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](ExecuteOp op) {
      if (!op.getDevice().isHost())
        return;
      Block *body = op.getBodyBlock();
      YieldOp yield = op.getYield();
      rewriter.inlineBlockBefore(body, op, op.getInputs());
      SmallVector<Value> yielded(yield.getOperands());
      rewriter.eraseOp(yield);
      rewriter.replaceOp(op, yielded);
    });
  }
};

struct TestDecompose : PassWrapper<TestDecompose, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestDecompose)
  StringRef getArgument() const final { return "test-hetero-decompose"; }
  StringRef getDescription() const final {
    return "Turns operations on tensors into their destination-style form";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
  }
  void runOnOperation() override {
    if (failed(decomposeRegion(getOperation())))
      signalPassFailure();
  }
};

struct TestFuseElementwise
    : PassWrapper<TestFuseElementwise, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestFuseElementwise)
  StringRef getArgument() const final { return "test-hetero-fuse-elementwise"; }
  StringRef getDescription() const final {
    return "Fuses elementwise operations into their consumers";
  }
  void runOnOperation() override {
    if (failed(fuseElementwise(getOperation())))
      signalPassFailure();
  }
};

struct TestMoveChannelsLast
    : PassWrapper<TestMoveChannelsLast, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestMoveChannelsLast)
  TestMoveChannelsLast() = default;
  TestMoveChannelsLast(const TestMoveChannelsLast &other)
      : PassWrapper(other) {}
  StringRef getArgument() const final {
    return "test-hetero-move-channels-last";
  }
  StringRef getDescription() const final {
    return "Chooses the orders of images";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
  }
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(decomposeRegion(module)) || failed(findPads(module)))
      return signalPassFailure();
    if (seed == 0) {
      if (failed(moveChannelsLast(module)))
        signalPassFailure();
      return;
    }
    std::mt19937 generator(seed);
    moveChannelsAnywhere(module, [&] { return generator() % 2 == 0; });
  }

  Option<unsigned> seed{
      *this, "seed", llvm::cl::init(0),
      llvm::cl::desc("Of a random choice; 0: that of the fewest cycles")};
};
} // namespace

namespace mlir::hetero::test {
void registerCPUCodegenTestPasses() {
  PassRegistration<TestDecompose>();
  PassRegistration<TestFuseElementwise>();
  PassRegistration<TestInlineHostRegions>();
  PassRegistration<TestMoveChannelsLast>();
  PassPipelineRegistration<>("test-lower-host-loops",
                             "Lowers host loops and vectors",
                             addLowerHostLoopsPasses);
}
} // namespace mlir::hetero::test
