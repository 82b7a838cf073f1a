//===- ExplainCodegen.cpp - Says how code is generated --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasuredTimes.h"
#include "RegionSchedules.h"
#include "hetero/Codegen/Passes/Passes.h"

#include "Codegen/CPU/ExplainStrategy.h"
#include "Codegen/Libraries/TimedLocations.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Codegen/Common/TargetRegistry.h"
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
#include "hetero/Codegen/Passes/Passes.h.inc"
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
    std::optional<Profile> profile;
    if (failed(loadProfileOption(profileFile, module.getLoc(), profile)))
      return signalPassFailure();
    RegionSchedules schedules;
    for (ExecuteOp region : regions) {
      if (profile)
        noteMeasuredTimes(region, *profile);
      LogicalResult result = explain(region, schedules);
      if (profile)
        dropMeasuredTimes(region);
      if (failed(result))
        return signalPassFailure();
    }
  }

  LogicalResult explain(ExecuteOp region, RegionSchedules &schedules) {
    std::string name = "\"" + region.getName().str() + "\"";
    if (const Processor *processor = getProcessor(region))
      name += " for " + processor->name.str();
    auto report = [&](Location loc, const std::string &text) {
      emitRemark(loc) << name << ": " << text;
    };
    DeviceAttr device = region.getDevice();
    if (isGeneratedByKind(device))
      return device.getKind() == kHostKind ? explainCPURegion(region, report)
                                           : success();
    if (device.getCodegen().starts_with(kScheduleCodegen))
      // What is left to generated code after the schedule.
      return explainCPURegion(region, report, [&](ExecuteOp copy) {
        return schedules.apply(copy);
      });
    auto *dialect = getContext().getLoadedDialect<HeteroDialect>();
    const RegionExplainer *explainer =
        TargetRegistry::get(dialect).lookupExplainer(device.getCodegen());
    return explainer ? (*explainer)(region, report) : success();
  }
};
} // namespace
