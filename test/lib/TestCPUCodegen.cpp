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
//
//===----------------------------------------------------------------------===//

#include "hetero/Conversion/ParallelLoopsToRuntime/ParallelLoopsToRuntime.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

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
} // namespace

namespace mlir::hetero::test {
void registerCPUCodegenTestPasses() {
  PassRegistration<TestInlineHostRegions>();
  PassPipelineRegistration<>("test-lower-host-loops",
                             "Lowers host loops and vectors",
                             addLowerHostLoopsPasses);
}
} // namespace mlir::hetero::test
