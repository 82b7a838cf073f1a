//===- WarpCompiler.cpp - Makes functions of warps ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Vectorize/WarpCompiler.h"

#include "Emulator/Translate/Access.h"
#include "Emulator/Translate/Kernel.h"
#include "Emulator/Translate/Passes.h"
#include "Emulator/Vectorize/WarpVectorizer.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

/// Registers in memory and their accesses count, too.
static constexpr uint64_t kMostInlined = 40000;

/// Lanes are the vectors.
static llvm::PipelineTuningOptions tuning() {
  llvm::PipelineTuningOptions options;
  options.LoopVectorization = options.SLPVectorization = false;
  return options;
}

/// Instructions of a kernel with everything inlined that will be, up to a limit
/// that is far above what runs as warps.
static uint64_t
sizeInlined(const llvm::Function &function,
            llvm::DenseMap<const llvm::Function *, uint64_t> &sizes) {
  if (auto it = sizes.find(&function); it != sizes.end())
    return it->second;
  uint64_t size = function.getInstructionCount();
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &op : block) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&op);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (callee && callee->hasFnAttribute(kMayInline))
        size = std::min(size + sizeInlined(*callee, sizes), 2 * kMostInlined);
    }
  return sizes[&function] = size;
}

/// Leaves the kernel alone, the only function that is not internal, with what
/// it calls inlined, as values instead of registers in memory.
static void simplify(llvm::Module &module, Passes &passes) {
  for (llvm::Function &function : module)
    if (function.hasFnAttribute(kMayInline))
      function.addFnAttr(llvm::Attribute::AlwaysInline);
  llvm::FunctionPassManager function;
  function.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  function.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  function.addPass(llvm::SimplifyCFGPass());
  function.addPass(llvm::InstCombinePass());
  function.addPass(llvm::SimplifyCFGPass());
  function.addPass(llvm::ADCEPass());
  function.addPass(llvm::LowerSwitchPass());
  function.addPass(llvm::LoopSimplifyPass());
  llvm::ModulePassManager manager;
  manager.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  manager.addPass(llvm::GlobalDCEPass());
  manager.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(function)));
  manager.run(module, passes.modules);
}

bool hetero::emulator::ptx::compileWarps(llvm::Module &module,
                                         const std::string &name,
                                         llvm::TargetMachine &machine,
                                         std::string &why) {
  llvm::Function *kernel = module.getFunction("ptx." + name);
  llvm::DenseMap<const llvm::Function *, uint64_t> sizes;
  if (sizeInlined(*kernel, sizes) > kMostInlined) {
    why = "it is too large with what it calls";
    return false;
  }
  {
    Passes passes(machine, tuning());
    simplify(module, passes);
  }
  WarpAnalysis analysis;
  if (!analysis.run(*kernel, why))
    return false;
  vectorize(*kernel, analysis, "warp." + name);
  kernel->eraseFromParent();
  defineAccesses(module, /*asks=*/false, /*asksShared=*/false);
  llvm::raw_string_ostream problems(why);
  if (llvm::verifyModule(module, &problems))
    return false;
  Passes(machine, tuning()).optimize(module);
  return true;
}
