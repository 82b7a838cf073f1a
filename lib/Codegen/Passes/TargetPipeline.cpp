//===- TargetPipeline.cpp - Runs passes on one device's regions -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a textual pass pipeline on the body of every hetero.execute of a device,
// a kind of device, or a code generator, and leaves the others alone.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Passes/Passes.h"
#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"
#include "hetero/Transforms/Regions/ExecuteBody.h"

#include "hetero/Codegen/Common/TargetRegistry.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_TARGETPIPELINEPASS
#include "hetero/Codegen/Passes/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// Parses a pipeline, with or without `builtin.module(...)` around it.
static FailureOr<OpPassManager> parsePipeline(StringRef text,
                                              std::string &message) {
  text = text.trim();
  if (text.consume_front("builtin.module(") && !text.consume_back(")")) {
    message = "expected ')' at the end";
    return failure();
  }
  OpPassManager pipeline(ModuleOp::getOperationName());
  llvm::raw_string_ostream stream(message);
  if (failed(parsePassPipeline(text, pipeline, stream)))
    return failure();
  return pipeline;
}

/// True for regions that the two options name; null and empty mean all.
static bool matches(ExecuteOp op, DeviceAttr device, StringRef codegen) {
  DeviceAttr actual = op.getDevice();
  if (device && !device.meet(actual.getBare()))
    return false;
  StringRef generator =
      isGeneratedByKind(actual) ? StringRef(kKindCodegen) : actual.getCodegen();
  return codegen.empty() || codegen == generator;
}

namespace {
struct TargetPipelinePass
    : public mlir::hetero::impl::TargetPipelinePassBase<TargetPipelinePass> {
  using Base::Base;

  /// The nested passes' dialects are loaded with ours, before threads start.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    std::string ignored;
    FailureOr<OpPassManager> parsed = parsePipeline(pipeline, ignored);
    if (succeeded(parsed))
      parsed->getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    DeviceAttr wanted;
    if (!device.empty()) {
      wanted = parseDevice(device, &getContext());
      if (!wanted) {
        emitError(module.getLoc(),
                  "hetero-target-pipeline: expected a device like gpu "
                  "or gpu:0, got '")
            << device << "'; correct the option 'device'";
        return signalPassFailure();
      }
    }
    if (pipeline.empty()) {
      emitError(module.getLoc(), "hetero-target-pipeline: expected passes to "
                                 "run, got none; give the option 'pipeline'");
      return signalPassFailure();
    }
    std::string message;
    FailureOr<OpPassManager> parsed = parsePipeline(pipeline, message);
    if (failed(parsed)) {
      // The parser's first line says why; the others draw the text.
      StringRef cause = StringRef(message).trim().split('\n').first;
      size_t prefix = cause.find("error: ");
      if (prefix != StringRef::npos)
        cause = cause.drop_front(prefix + StringRef("error: ").size());
      emitError(module.getLoc(),
                "hetero-target-pipeline: cannot parse the pipeline '")
          << pipeline << "': " << cause << "; correct the option 'pipeline'";
      return signalPassFailure();
    }
    runOnRegions(module, wanted, *parsed);
  }

  void runOnRegions(ModuleOp module, DeviceAttr wanted,
                    const OpPassManager &passes) {
    SmallVector<ExecuteOp> regions;
    module.walk([&](ExecuteOp op) {
      if (matches(op, wanted, codegen))
        regions.push_back(op);
    });
    for (ExecuteOp op : regions)
      if (failed(runPipelineOnExecuteBody(op, passes))) {
        op.emitOpError("the pipeline '")
            << pipeline << "' failed on region \"" << op.getName() << "\" of "
            << op.getDevice().str();
        return signalPassFailure();
      }
    remark::analysis(
        module.getLoc(),
        remark::RemarkOpts::name("regions").category("hetero-target-pipeline"))
        << remark::add("pipeline run on regions")
        << remark::metric("count", static_cast<int>(regions.size()));
  }
};
} // namespace
