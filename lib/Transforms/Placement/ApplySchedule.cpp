//===- ApplySchedule.cpp - Runs a transform dialect schedule --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the schedule of a file, or the one that stands in the module:
//
//   module attributes {transform.with_named_sequence} {
//     func.func @main(...) { %0 = linalg.matmul ... }
//     transform.named_sequence @__transform_main(...) { ... }
//   }
// becomes
//   module {
//     func.func @main(...) {
//       %0 = linalg.matmul {hetero.device = #hetero.device<gpu:0>, ...} ...
//     }
//   }
//
//===----------------------------------------------------------------------===//

#include "MarkedAnnotations.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"
#include "hetero/Transforms/Placement/ScheduleFile.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_APPLYSCHEDULEPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;
using transform::TransformDialect;
using transform::TransformOpInterface;

/// A schedule is no part of the program that is compiled, and neither is a
/// module that holds nothing else.
static void eraseSchedules(ModuleOp module) {
  module->removeAttr(TransformDialect::kWithNamedSequenceAttrName);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    if (isa_and_nonnull<TransformDialect>(op.getDialect())) {
      op.erase();
      continue;
    }
    auto nested = dyn_cast<ModuleOp>(op);
    if (!nested)
      continue;
    bool hadOps = !nested.getBody()->empty();
    eraseSchedules(nested);
    if (hadOps && nested.getBody()->empty())
      nested.erase();
  }
}

namespace {
struct ApplySchedulePass
    : public mlir::hetero::impl::ApplySchedulePassBase<ApplySchedulePass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    // It loads many others, which a module without a schedule does not need.
    if (!file.empty())
      registry.insert<TransformDialect>();
  }

  /// Files are read where dialects may be loaded.
  LogicalResult initialize(MLIRContext *context) override {
    if (file.empty())
      return success();
    OwningOpRef<ModuleOp> loaded;
    if (failed(loadSchedule(file, UnknownLoc::get(context), loaded)))
      return failure();
    schedule = std::make_shared<OwningOpRef<ModuleOp>>(std::move(loaded));
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    TransformOpInterface main =
        findScheduleMain(schedule ? schedule->get() : module);
    int64_t numCarried = 0, numDropped = 0;
    if (main) {
      MarkedAnnotations annotations(module);
      if (failed(transform::applyTransformNamedSequence(
              module, main, /*transformModule=*/ModuleOp(),
              transform::TransformOptions())))
        return signalPassFailure();
      annotations.restore("the schedule");
      numCarried = annotations.getNumCarried();
      numDropped = annotations.getNumDropped();
    }
    eraseSchedules(module);
    remarkSummary(module, getArgument(),
                  {{"schedules", main ? 1 : 0},
                   {"carried", numCarried},
                   {"dropped", numDropped}});
  }

private:
  /// Shared with copies of the pass, which only read it.
  std::shared_ptr<OwningOpRef<ModuleOp>> schedule;
};
} // namespace
