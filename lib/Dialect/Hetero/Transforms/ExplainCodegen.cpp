//===- ExplainCodegen.cpp - Says how code is generated --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/Transforms/Passes.h"
#include "hetero/Dialect/Hetero/Transforms/ScheduleFile.h"

#include "hetero/Codegen/CPU/CPUCodegen.h"
#include "hetero/Codegen/TargetRegistry.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_EXPLAINCODEGENPASS
#include "hetero/Dialect/Hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

namespace {
struct ExplainCodegenPass
    : public mlir::hetero::impl::ExplainCodegenPassBase<ExplainCodegenPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry.insert<transform::TransformDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) != Phase::Partitioned) {
      emitError(module.getLoc())
          << "expected a module in phase 'partitioned', got phase '"
          << stringifyPhase(getPhase(module))
          << "'; run hetero-explain-codegen right after hetero-partition";
      return signalPassFailure();
    }
    SmallVector<ExecuteOp> regions;
    module.walk([&](ExecuteOp op) { regions.push_back(op); });
    RegionSchedules schedules;
    for (ExecuteOp region : regions)
      if (failed(explain(region, schedules)))
        return signalPassFailure();
  }

  LogicalResult explain(ExecuteOp region, RegionSchedules &schedules) {
    auto report = [&](Location loc, const std::string &text) {
      emitRemark(loc) << "\"" << region.getName() << "\": " << text;
    };
    DeviceAttr device = region.getDevice();
    if (isGeneratedByKind(device))
      return device.getKind() == kHostKind ? explainCPURegion(region, report)
                                           : success();
    if (device.getCodegen().starts_with(kScheduleCodegen))
      return explainSchedule(region, schedules, report);
    auto *dialect = getContext().getLoadedDialect<HeteroDialect>();
    const RegionExplainer *explainer =
        TargetRegistry::get(dialect).lookupExplainer(device.getCodegen());
    return explainer ? (*explainer)(region, report) : success();
  }

  /// What is left to generated code behind the schedule.
  LogicalResult explainSchedule(ExecuteOp region, RegionSchedules &schedules,
                                CodegenReport report) {
    OpBuilder builder(region);
    auto copy = cast<ExecuteOp>(builder.clone(*region));
    LogicalResult result = schedules.apply(copy);
    if (succeeded(result))
      result = explainCPURegion(copy, report);
    copy->erase();
    return result;
  }
};
} // namespace
