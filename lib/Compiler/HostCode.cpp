//===- HostCode.cpp - LLVM IR of a program and its object code ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"

#include "EntryTableModule.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Support/CodeCache.h"
#include "hetero/Support/MaskedStores.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/IPO/CalledValuePropagation.h"

using namespace mlir;
using namespace mlir::hetero;
using ::hetero::CodeCache;

//===----------------------------------------------------------------------===//
// Processors
//===----------------------------------------------------------------------===//

static const llvm::Target *lookupTarget(const llvm::Triple &triple) {
  std::string error;
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

/// Of the vectors that a processor has.
static int64_t getVectorBits(const llvm::MCSubtargetInfo &info) {
  if (!info.getTargetTriple().isX86())
    return 128;
  return info.checkFeatures("+avx512f") ? 512
         : info.checkFeatures("+avx")   ? 256
                                        : 128;
}

std::optional<int64_t> mlir::hetero::lookupVectorBits(
    const std::string &cpu,
    llvm::function_ref<void(const llvm::Twine &)> fail) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::Target *target = lookupTarget(triple);
  if (!target) {
    fail("LLVM has no code generator for this machine");
    return std::nullopt;
  }
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, "", ""));
  // LLVM aborts on a processor that it does not know.
  if (info->isCPUStringValid(cpu)) {
    info.reset(target->createMCSubtargetInfo(triple, cpu, ""));
    return getVectorBits(*info);
  }
  std::string known;
  for (const auto &processor : info->getAllProcessorDescriptions())
    known += (known.empty() ? "" : ", ") + std::string(processor.Key);
  fail("unknown processor '" + cpu +
       "' for --mcpu; use one that LLVM knows: " + known);
  return std::nullopt;
}

static std::unique_ptr<llvm::TargetMachine>
makeMachine(const HostTarget &wanted) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::Target *target = lookupTarget(triple);
  if (!target)
    return nullptr;
  llvm::SubtargetFeatures features;
  std::string cpu = wanted.cpu;
  if (!wanted.processors.empty()) {
    cpu = wanted.processors.back()->cpu;
    features = llvm::SubtargetFeatures(wanted.processors.back()->features);
  } else if (cpu.empty()) {
    cpu = llvm::sys::getHostCPUName().str();
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, features.getString(), llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt,
      wanted.level ? llvm::CodeGenOptLevel::Aggressive
                   : llvm::CodeGenOptLevel::None));
}

//===----------------------------------------------------------------------===//
// Optimization
//===----------------------------------------------------------------------===//

static llvm::OptimizationLevel toOptimizationLevel(int64_t level) {
  switch (level) {
  case 0:
    return llvm::OptimizationLevel::O0;
  case 1:
    return llvm::OptimizationLevel::O1;
  case 2:
    return llvm::OptimizationLevel::O2;
  default:
    return llvm::OptimizationLevel::O3;
  }
}

/// Which functions a pointer may be, LLVM finds out argument by argument, in
/// more than linear time for a program of many. Ours calls no pointers.
static void skipCalledValues(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef pass, const llvm::Any &) {
        return pass != llvm::CalledValuePropagationPass::name();
      });
}

/// Steps of the loops that LLVM makes one block of.
static constexpr unsigned kMaxUnrolled = 32;

/// True if the loop passes so many vectors from step to step that half of the
/// registers are theirs.
static bool fillsRegisters(const llvm::Loop &loop,
                           const llvm::TargetTransformInfo &target) {
  unsigned registers = target.getNumberOfRegisters(
      target.getRegisterClassForType(/*Vector=*/true));
  auto isVector = [](const llvm::PHINode &value) {
    return value.getType()->isVectorTy();
  };
  return 2 * llvm::count_if(loop.getHeader()->phis(), isVector) >= registers;
}

/// Has LLVM unroll no loop of few steps whose accumulators fill the registers:
/// in one block of all steps, windows that overlap share what they load, and
/// what is kept for later steps drives accumulators out of the registers.
static void keepRegisterTiles(llvm::Module &module,
                              const llvm::TargetMachine &machine) {
  llvm::TargetLibraryInfoImpl libraries(machine.getTargetTriple());
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    llvm::TargetTransformInfo target = machine.getTargetTransformInfo(function);
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    llvm::TargetLibraryInfo library(libraries);
    llvm::AssumptionCache assumptions(function);
    llvm::ScalarEvolution evolution(function, library, assumptions, dominators,
                                    loops);
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
      unsigned steps = evolution.getSmallConstantMaxTripCount(loop);
      if (steps > 0 && steps <= kMaxUnrolled && fillsRegisters(*loop, target))
        loop->setLoopAlreadyUnrolled();
    }
  }
}

static void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                           int64_t number) {
  keepRegisterTiles(module, machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  skipCalledValues(callbacks);
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(),
                            std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::OptimizationLevel level = toOptimizationLevel(number);
  llvm::ModulePassManager passes =
      level == llvm::OptimizationLevel::O0
          ? builder.buildO0DefaultPipeline(level)
          : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  storeSingleLanesAlone(module);
}

//===----------------------------------------------------------------------===//
// HostCode
//===----------------------------------------------------------------------===//

std::unique_ptr<HostCode> HostCode::translate(ModuleOp module,
                                              ArrayRef<EntryPoint> entries,
                                              const HostTarget &target) {
  auto code = std::make_unique<HostCode>();
  code->level = target.level;
  code->machine = makeMachine(target);
  if (!code->machine) {
    module.emitError("LLVM has no code generator for this machine");
    return nullptr;
  }
  // The device code is in the program's constants by now; what is left of it
  // would be translated into static constructors.
  OwningOpRef<ModuleOp> host = module.clone();
  for (auto binary : llvm::make_early_inc_range(host->getOps<gpu::BinaryOp>()))
    binary.erase();
  code->module = translateModuleToLLVMIR(*host, code->context, "hetero");
  if (!code->module)
    return nullptr;
  code->module->setTargetTriple(code->machine->getTargetTriple());
  code->module->setDataLayout(code->machine->createDataLayout());
  for (const EntryPoint &entry : entries)
    if (llvm::Function *function = code->module->getFunction(entry.name))
      function->setName(entry.getSymbol());
  if (llvm::GlobalVariable *states =
          code->module->getNamedGlobal(getStateTableSymbol()))
    states->setName(getStateTableSymbol(target.node));
  return code;
}

llvm::Module &HostCode::optimize() {
  if (!isOptimized)
    optimizeModule(*module, *machine, level);
  isOptimized = true;
  return *module;
}

/// What the code depends on: the program as translated, the processor and the
/// level.
std::string HostCode::getKey() const {
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream os(bitcode);
  llvm::WriteBitcodeToFile(*module, os);
  return CodeCache::keyOf(
      {"host", machine->getTargetTriple().str(), machine->getTargetCPU(),
       machine->getTargetFeatureString(), std::to_string(level), bitcode});
}

HostCode::Object HostCode::emitObject() {
  CodeCache cache = CodeCache::ofCompiler();
  if (!cache.isEnabled() || isOptimized)
    return generate(optimize());
  std::string key = getKey();
  if (auto object = cache.find(key))
    return object;
  Object object = generate(optimize());
  if (object)
    cache.store(key, object->getBuffer());
  return object;
}

HostCode::Object HostCode::emitEntryTable(ArrayRef<NodeEntries> nodes,
                                          uint64_t hash, bool hasMain) {
  std::unique_ptr<llvm::Module> table =
      buildEntryTable(context, nodes, hash, hasMain);
  table->setTargetTriple(machine->getTargetTriple());
  table->setDataLayout(machine->createDataLayout());
  return generate(*table);
}

HostCode::Object HostCode::generate(llvm::Module &from) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return nullptr;
  passes.run(from);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), "program.o", /*RequiresNullTerminator=*/false);
}
