//===- Passes.h - Passes of LLVM on translated PTX --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_PASSES_H
#define HETERO_LIB_EMULATOR_TRANSLATE_PASSES_H

#include "hetero/Support/MaskedStores.h"
#include "llvm/Passes/PassBuilder.h"

namespace hetero::emulator::ptx {

/// The analyses that passes on a module use.
struct Passes {
  explicit Passes(llvm::TargetMachine &machine,
                  const llvm::PipelineTuningOptions &tuning = {})
      : builder(&machine, tuning) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  void optimize(llvm::Module &module) {
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
        .run(module, modules);
    mlir::hetero::storeSingleLanesAlone(module);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_PASSES_H
