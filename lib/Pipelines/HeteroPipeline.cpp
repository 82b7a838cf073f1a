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

template <> ArrayRef<Choice<Phase>> mlir::hetero::getChoices() {
  static const auto choices = [] {
    std::vector<Choice<Phase>> all;
    for (uint64_t i = uint64_t(Phase::Annotated); i <= uint64_t(Phase::LLVM);
         ++i)
      all.push_back({Phase(i), stringifyPhase(Phase(i)), ""});
    return all;
  }();
  return choices;
}

template <> ArrayRef<Choice<Fallback>> mlir::hetero::getChoices() {
  static const Choice<Fallback> choices[] = {
      {Fallback::None, "none", "such calls fail"},
      {Fallback::Host, "cpu", "entry points have code for the host as well"}};
  return choices;
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
  for (StringRef words : splitBraced(text)) {
    std::unique_ptr<Pass> pass = createTargetPipelinePass();
    auto explain = [&](const Twine &message) {
      std::string cause = message.str();
      StringRef text = StringRef(cause).trim();
      text.consume_front("<Pass-Options-Parser>: ");
      return emitError(text + " in '" + words +
                       "' of target-pipeline; correct it");
    };
    if (failed(pass->initializeOptions(words, explain)))
      return failure();
    manager.addPass(std::move(pass));
  }
  return success();
}

static void addAnnotated(OpPassManager &manager,
                         const HeteroPipelineOptions &options) {
  manager.addPass(createApplySchedulePass({options.schedule}));
  bool isChecked =
      options.stopAfter > Phase::Partitioned && options.targetPipelines.empty();
  bool isPart = !options.entry.getValue().empty();
  if (isChecked && !isPart)
    manager.addPass(createCheckSupportPass());
  AnnotatePassOptions annotate;
  annotate.rulesFile = options.rules;
  annotate.topology = options.topology;
  annotate.dynamicSize = options.dynamicSize;
  annotate.entry = options.entry;
  manager.addPass(createAnnotatePass(annotate));
  // What the entry point does not need may be anything.
  if (isChecked && isPart)
    manager.addPass(createCheckSupportPass());
}

/// Placement sees what is left to do.
static void addSimplifications(OpPassManager &manager) {
  // Integers that are weights must not become floats before.
  manager.addPass(createContractQuantizedPass());
  manager.addPass(createFoldConstantsPass());
  manager.addPass(createFoldScalesPass());
  manager.addPass(createRecognizeAttentionPass());
  manager.addPass(createFoldMovementsPass());
  // Last, for the others look for what has one user.
  manager.addPass(createMergeEqualPass());
}

static void addPlaced(OpPassManager &manager,
                      const HeteroPipelineOptions &options) {
  // After annotate, whose rules name operations and types as the user wrote
  // them.
  manager.addPass(createEraseSignednessPass());
  manager.addPass(createLowerFrontendOpsPass());
  manager.addPass(createConvertElementwiseToLinalgPass());
  // The simplifications ask who reads a value.
  manager.addPass(createEraseUnusedPass());
  if (options.simplify)
    addSimplifications(manager);
  manager.addPass(createHoistLoopProductsPass());
  manager.addPass(createEraseUnusedPass());
  PlacePassOptions place;
  place.placement = options.placement;
  place.objective = options.objective;
  place.defaultDevice = options.defaultDevice;
  place.conflict = options.conflict;
  place.profileFile = options.profile;
  place.tripCount = options.tripCount;
  place.dynamicSize = options.dynamicSize;
  place.memoryBudget = options.memoryBudget;
  place.reportFile = options.report;
  manager.addPass(createPlacePass(place));
}

/// Adds the passes that end a phase.
static LogicalResult addPhase(OpPassManager &manager, Phase phase,
                              const HeteroPipelineOptions &options,
                              ErrorHandler emitError) {
  switch (phase) {
  case Phase::None:
    break;
  case Phase::Annotated:
    addAnnotated(manager, options);
    break;
  case Phase::Placed:
    addPlaced(manager, options);
    break;
  case Phase::Materialized:
    manager.addPass(createMaterializeCopiesPass({options.copySite}));
    break;
  case Phase::CopiesOptimized: {
    OptimizeCopiesPassOptions optimize;
    optimize.copySite = options.copySite;
    manager.addPass(createOptimizeCopiesPass(optimize));
    break;
  }
  case Phase::Partitioned:
    manager.addPass(createPartitionPass());
    return addTargetPipelines(manager, options.targetPipelines, emitError);
  case Phase::Codegen:
    if (options.fallback == Fallback::Host)
      manager.addPass(createCloneForHostPass());
    manager.addPass(createCloneForProcessorsPass({options.processors}));
    manager.addPass(createCodegenPass({options.profile, options.boundsChecks}));
    break;
  case Phase::Bufferized:
    manager.addPass(createBufferizePass());
    manager.addPass(createRouteCopiesPass());
    manager.addPass(createBatchCopiesPass());
    manager.addPass(createStreamConstantsPass());
    break;
  case Phase::Scheduled:
    manager.addPass(createSchedulePass());
    if (options.node >= 0)
      manager.addPass(createSplitByNodePass({options.node}));
    break;
  case Phase::Planned:
    manager.addPass(createPlanMemoryPass());
    break;
  case Phase::GPU: {
    ConvertHeteroToGPUPassOptions gpu;
    gpu.chip = options.chip;
    gpu.allowTF32 = options.allowTF32;
    manager.addPass(createConvertHeteroToGPUPass(gpu));
    if (options.markNodes)
      manager.addPass(createMarkNodesPass());
    break;
  }
  case Phase::LLVM:
    manager.addPass(createConvertHeteroToLLVMPass({options.cubins}));
    break;
  }
  return success();
}

LogicalResult
mlir::hetero::buildHeteroPipeline(OpPassManager &manager,
                                  const HeteroPipelineOptions &options,
                                  ErrorHandler emitError) {
  for (const Choice<Phase> &phase : getChoices<Phase>()) {
    if (phase.value > options.stopAfter)
      break;
    if (failed(addPhase(manager, phase.value, options, emitError)))
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
          // A value that an option refuses has been reported by the option.
          if (cause.empty())
            return failure();
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
