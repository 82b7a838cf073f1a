//===- TestCopies.cpp - A copy for each use, to compare with --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --test-hetero-copy-each-use does what systems do that put a copy before each
// use and leave it to others to find the duplicates: benchmarks/placement
// compares it, followed by upstream's cse and canonicalize, with this project's
// passes. It takes placed functions of straight code:
//
//   %1 = linalg.exp ins(%0) ... on gpu:0
//   %2 = linalg.abs ins(%0) ... on gpu:0
// becomes
//   %3 = hetero.copy %0 : T -> T on gpu:0
//   %1 = linalg.exp ins(%3) ...
//   %4 = hetero.copy %0 : T -> T on gpu:0
//   %2 = linalg.abs ins(%4) ...
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::hetero;

static void copyOperands(Operation *op, DeviceAttr device) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Type wanted = withDevice(operand.get().getType(), device);
    if (wanted != operand.get().getType())
      operand.set(CopyOp::create(builder, op->getLoc(), wanted, operand.get()));
  }
}

namespace {
struct CopyEachUsePass
    : public PassWrapper<CopyEachUsePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CopyEachUsePass)

  StringRef getArgument() const override { return "test-hetero-copy-each-use"; }
  /// In timing reports.
  StringRef getName() const override { return "CopyEachUsePass"; }
  StringRef getDescription() const override {
    return "Puts a copy before each use on another device";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<HeteroDialect>();
  }
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      for (Block &block : function.getFunctionBody())
        copyIn(block);
    setPhase(getOperation(), Phase::Materialized);
  }

private:
  /// What has no device stays on the host.
  void copyIn(Block &block) {
    DeviceAttr host = DeviceAttr::getHost(&getContext());
    for (Operation &op : llvm::make_early_inc_range(block)) {
      DeviceAttr device = getDevice(&op) ? getDevice(&op).getBare() : host;
      copyOperands(&op, device);
      for (Value result : op.getResults())
        result.setType(withDevice(result.getType(), device));
    }
  }
};
} // namespace

namespace mlir::hetero::test {
void registerTestCopiesPasses() { PassRegistration<CopyEachUsePass>(); }
} // namespace mlir::hetero::test
