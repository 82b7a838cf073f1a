//===- Codegen.cpp - Generates code in every region -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen/Common/SharedConstants.h"
#include "Codegen/Common/SourceLocations.h"
#include "Codegen/Decompose/LowerScatters.h"
#include "Codegen/Decompose/LowerTMTensor.h"
#include "KeptElements.h"
#include "MeasuredTimes.h"
#include "RegionSchedules.h"
#include "hetero/Codegen/Common/TargetRegistry.h"
#include "hetero/Codegen/Passes/Passes.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Checks/AccessChecks.h"
#include "hetero/Transforms/Checks/DivisionChecks.h"
#include "hetero/Transforms/Checks/IndexChecks.h"
#include "hetero/Transforms/Checks/NegativeSizes.h"
#include "hetero/Transforms/Checks/SizeChecks.h"
#include "hetero/Transforms/Frontends/LowerTosa.h"
#include "hetero/Transforms/Regions/ExecuteBody.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_CODEGENPASS
#include "hetero/Codegen/Passes/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// Runs the pipeline of the device's kind on the body, then its generator.
static LogicalResult generateByKind(ExecuteOp op) {
  StringRef name = op.getDevice().getKind();
  const DeviceKind *kind = lookupDeviceKind(op.getContext(), name);
  if (!kind)
    return op.emitOpError("the device kind '")
           << name << "' is not registered; register it or place \""
           << op.getName() << "\" on cpu or gpu";
  OpPassManager pipeline(ModuleOp::getOperationName());
  kind->buildPipeline(pipeline);
  if (!pipeline.empty() && failed(runPipelineOnExecuteBody(op, pipeline)))
    return op.emitOpError("the pipeline of the kind '")
           << name << "' failed on region \"" << op.getName() << "\"";
  return kind->generateRegion(op);
}

/// Runs the code generator that `codegen` names.
static LogicalResult generateRegion(ExecuteOp op, const TargetRegistry &targets,
                                    RegionSchedules &schedules) {
  if (isGeneratedByKind(op.getDevice()))
    return generateByKind(op);
  StringRef name = op.getDevice().getCodegen();
  if (name.starts_with(kScheduleCodegen))
    return failed(schedules.apply(op)) ? failure() : generateByKind(op);
  if (const RegionGenerator *generator = targets.lookup(name))
    return (*generator)(op);
  return op.emitOpError("no code generator is called '")
         << name << "'; leave codegen out of the device of \"" << op.getName()
         << "\" or register the generator";
}

/// Lowers what was placed as it was written.
static LogicalResult lowerRegions(ModuleOp module,
                                  ArrayRef<ExecuteOp> regions) {
  for (ExecuteOp op : regions) {
    if (failed(lowerTosa(op)))
      return failure();
    lowerScatters(op);
    lowerTMTensor(op);
  }
  return lowerTosaOutsideRegions(module);
}

/// Returns the number of assertions.
static int64_t insertChecks(ModuleOp module, ArrayRef<ExecuteOp> regions) {
  int64_t checks = insertSizeChecks(module);
  for (ExecuteOp op : regions)
    checks += insertSizeChecks(op) + insertIndexChecks(op);
  return checks + insertAccessChecks(module) + insertDivisionChecks(module);
}

/// Functions that several places call.
static int64_t countKernels(ModuleOp module) {
  return llvm::count_if(module.getOps<func::FuncOp>(), [](func::FuncOp op) {
    return op->hasAttr(kKernelAttrName);
  });
}

namespace {
struct CodegenPass : public mlir::hetero::impl::CodegenPassBase<CodegenPass> {
  using Base::Base;

  /// A region may name a schedule, which is read when dialects cannot be
  /// loaded any more.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry.insert<transform::TransformDialect>();
    addTosaDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // What is left of linalg is what its generator wants to be left.
    if (getPhase(module) >= Phase::Codegen)
      return;
    std::optional<Profile> profile;
    if (failed(loadProfileOption(profileFile, module.getLoc(), profile)))
      return signalPassFailure();
    auto *dialect = getContext().getLoadedDialect<HeteroDialect>();
    const TargetRegistry &targets = TargetRegistry::get(dialect);
    SmallVector<ExecuteOp> regions;
    module.walk([&](ExecuteOp op) { regions.push_back(op); });
    // Before what is compared is taken apart.
    int64_t checks = boundsChecks ? insertOperandChecks(module) : 0;
    // Before the operations that need them are fused and tiled.
    if (failed(lowerRegions(module, regions)))
      return signalPassFailure();
    if (boundsChecks)
      checks += insertChecks(module, regions);
    clearNegativeSizes(module);
    // After the checks, whose errors have the place of what fails.
    nameBodies(module);
    for (ExecuteOp op : regions)
      readKeptElements(op);
    markSharedConstants(module);
    RegionSchedules schedules;
    for (ExecuteOp op : regions) {
      if (profile)
        noteMeasuredTimes(op, *profile);
      if (failed(generateRegion(op, targets, schedules)))
        return signalPassFailure();
    }
    const DeviceKinds &kinds = DeviceKinds::get(dialect);
    for (StringRef name : kinds.getNames())
      if (failed(kinds.lookup(name)->generateModule(module)))
        return signalPassFailure();
    setPhase(module, Phase::Codegen);
    int64_t scheduled = llvm::count_if(regions, [](ExecuteOp op) {
      return op.getDevice().getCodegen().starts_with(kScheduleCodegen);
    });
    remarkSummary(module, getArgument(),
                  {{"regions", regions.size()},
                   {"scheduled", scheduled},
                   {"kernel-calls", countOperations<InvokeOp>},
                   {"kernels", countKernels},
                   {"size-checks", checks}});
  }
};
} // namespace
