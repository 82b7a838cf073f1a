//===- HeteroPipeline.cpp - The whole sequence of phases ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Pipelines/HeteroPipeline.h"

#include "hetero/Codegen/Passes/Passes.h"
#include "hetero/Conversion/Passes.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::hetero;

using ErrorHandler = llvm::function_ref<LogicalResult(const llvm::Twine &)>;

/// Adds a textual pass, so that values of options are parsed in one place.
static LogicalResult addText(OpPassManager &manager, const std::string &text,
                             ErrorHandler emitError) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (succeeded(parsePassPipeline(text, manager, stream)))
    return success();
  // What the parser adds about the pass says nothing that the user wrote. A
  // value that an option refuses has been reported by the option itself.
  StringRef cause = StringRef(message).split("failed to add `").first.trim();
  cause.consume_front("<Pass-Options-Parser>: ");
  return cause.empty() ? failure()
                       : emitError(cause + " in '" + text + "'; correct it");
}

/// A pass with those of its options that have a value.
static LogicalResult
addPass(OpPassManager &manager, StringRef name,
        ArrayRef<std::pair<StringRef, std::string>> options,
        ErrorHandler emitError) {
  std::string words;
  for (const auto &[key, value] : options)
    if (!value.empty())
      words += (words.empty() ? "" : " ") + key.str() + "='" + value + "'";
  return addText(manager, name.str() + "{" + words + "}", emitError);
}

namespace {
/// One phase: the passes that end it.
struct Step {
  Phase phase;
  std::function<LogicalResult(OpPassManager &, ErrorHandler)> add;
};
} // namespace

/// A step that is one pass without options.
static Step step(Phase phase, std::unique_ptr<Pass> (*create)()) {
  return {phase, [create](OpPassManager &manager, ErrorHandler) {
            manager.addPass(create());
            return success();
          }};
}

/// Splits "{a},{b}" into its parts; anything else is one part.
static SmallVector<StringRef> splitBraced(StringRef text) {
  SmallVector<StringRef> parts;
  if (!text.starts_with("{"))
    return {text};
  size_t begin = 0;
  unsigned depth = 0;
  for (auto [index, character] : llvm::enumerate(text)) {
    if (character == '{' && depth++ == 0)
      begin = index + 1;
    if (character == '}' && depth > 0 && --depth == 0)
      parts.push_back(text.slice(begin, index));
  }
  return parts;
}

/// A pass for each part of `target-pipeline`, in their order.
static LogicalResult addTargetPipelines(OpPassManager &manager, StringRef text,
                                        ErrorHandler emitError) {
  if (text.empty())
    return success();
  for (StringRef words : splitBraced(text))
    if (failed(addText(manager, "hetero-target-pipeline{" + words.str() + "}",
                       emitError)))
      return failure();
  return success();
}

static std::vector<Step> getSteps(const HeteroPipelineOptions &options,
                                  Phase last) {
  std::vector<Step> steps;
  bool isLowered = last > Phase::Partitioned && options.targetPipelines.empty();
  steps.push_back({Phase::Annotated,
                   [&options, isLowered](OpPassManager &manager, ErrorHandler) {
                     // Not as text, whose parser would look for quotes and
                     // braces in rules.
                     manager.addPass(
                         createApplySchedulePass({options.schedule}));
                     if (isLowered)
                       manager.addPass(createCheckSupportPass());
                     AnnotatePassOptions annotate;
                     annotate.rulesFile = options.rules.getValue();
                     annotate.topology = options.topology.getValue();
                     annotate.dynamicSize = options.dynamicSize;
                     manager.addPass(createAnnotatePass(annotate));
                     return success();
                   }});
  steps.push_back(
      {Phase::Placed, [&](OpPassManager &manager, ErrorHandler emitError) {
         // Behind annotate, whose rules name operations and types as the user
         // wrote them.
         manager.addPass(createEraseSignednessPass());
         manager.addPass(createLowerFrontendOpsPass());
         manager.addPass(createConvertElementwiseToLinalgPass());
         return addPass(manager, "hetero-place",
                        {{"placement", options.placement.getValue()},
                         {"conflict", options.conflict.getValue()},
                         {"default", options.defaultDevice.getValue()},
                         {"profile", options.profile.getValue()},
                         {"trip-count", options.tripCount.getValue()},
                         {"dynamic-size", std::to_string(options.dynamicSize)},
                         {"report", options.report.getValue()}},
                        emitError);
       }});
  for (auto [phase, name] :
       {std::pair(Phase::Materialized, "hetero-materialize-copies"),
        std::pair(Phase::CopiesOptimized, "hetero-optimize-copies")})
    steps.push_back({phase, [&options, name = name](OpPassManager &manager,
                                                    ErrorHandler emitError) {
                       return addPass(
                           manager, name,
                           {{"copy-site", options.copySite.getValue()}},
                           emitError);
                     }});
  steps.push_back(
      {Phase::Partitioned, [&](OpPassManager &manager, ErrorHandler emitError) {
         manager.addPass(createPartitionPass());
         return addTargetPipelines(manager, options.targetPipelines, emitError);
       }});
  steps.push_back(
      {Phase::Codegen, [&](OpPassManager &manager, ErrorHandler emitError) {
         if (failed(addPass(manager, "hetero-clone-for-processors",
                            {{"processors", options.processors.getValue()}},
                            emitError)))
           return failure();
         manager.addPass(createCodegenPass(
             {options.profile.getValue(), options.boundsChecks.getValue()}));
         return success();
       }});
  steps.push_back({Phase::Bufferized, [](OpPassManager &manager, ErrorHandler) {
                     manager.addPass(createBufferizePass());
                     manager.addPass(createRouteCopiesPass());
                     manager.addPass(createBatchCopiesPass());
                     return success();
                   }});
  steps.push_back(step(Phase::Scheduled, createSchedulePass));
  steps.push_back(step(Phase::Planned, createPlanMemoryPass));
  steps.push_back(
      {Phase::GPU, [&](OpPassManager &manager, ErrorHandler emitError) {
         return addPass(manager, "convert-hetero-to-gpu",
                        {{"chip", options.chip.getValue()},
                         {"allow-tf32", options.allowTF32 ? "true" : "false"}},
                        emitError);
       }});
  steps.push_back(step(Phase::LLVM, createConvertHeteroToLLVMPass));
  return steps;
}

LogicalResult
mlir::hetero::buildHeteroPipeline(OpPassManager &manager,
                                  const HeteroPipelineOptions &options,
                                  ErrorHandler emitError) {
  std::optional<Phase> last = Phase::LLVM;
  if (!options.stopAfter.empty())
    last = symbolizePhase(options.stopAfter);
  if (!last)
    return emitError("no phase is named '" + options.stopAfter.getValue() +
                     "'; the phases are annotated, placed, materialized, "
                     "copies-optimized, partitioned, codegen, bufferized, "
                     "scheduled, planned, gpu and llvm");
  for (const Step &step : getSteps(options, *last)) {
    if (step.phase > *last)
      break;
    if (failed(step.add(manager, emitError)))
      return failure();
    manager.addPass(createVerifyPass());
  }
  return success();
}

void mlir::hetero::registerHeteroPipelines() {
  registerPassPipeline(
      "hetero-pipeline",
      "Compile tensor programs for several devices, from annotations to the "
      "llvm dialect",
      [](OpPassManager &manager, StringRef text, ErrorHandler emitError) {
        HeteroPipelineOptions options;
        std::string message;
        llvm::raw_string_ostream stream(message);
        if (failed(options.parseFromString(text, stream))) {
          StringRef cause = StringRef(message).trim();
          cause.consume_front("<Pass-Options-Parser>: ");
          return emitError("hetero-pipeline: " + cause +
                           "; --help lists the options");
        }
        return buildHeteroPipeline(manager, options, emitError);
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(HeteroPipelineOptions());
      });
}
