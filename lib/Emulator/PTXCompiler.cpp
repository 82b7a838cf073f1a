//===- PTXCompiler.cpp - Compiles PTX for the host ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Emulator/PTXCompiler.h"

#include "PTXAccess.h"
#include "PTXGlobals.h"
#include "PTXKernel.h"
#include "PTXMath.h"
#include "WarpCompiler.h"
#include "hetero/Emulator/ExecutorCallbacks.h"
#include "hetero/Emulator/PTXLexer.h"
#include "hetero/Emulator/PTXParser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

#include <cstring>
#include <mutex>

using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

namespace {
class JITModule : public CompiledModule {
public:
  JITModule(std::string text) : text(std::move(text)) {}

  const CompiledKernel *lookup(std::string_view name) const override {
    for (const CompiledKernel &kernel : compiled)
      if (kernel.name == name)
        return &kernel;
    return nullptr;
  }
  const std::vector<CompiledKernel> &kernels() const override {
    return compiled;
  }
  const std::vector<GlobalVariable> &globals() const override {
    return variables.all();
  }
  WarpFunction warpFunction(const CompiledKernel &kernel) override;
  void bindGlobal(std::string_view name, uint64_t address) override {
    variables.bind(*state, name, address);
  }

  /// Names in the tree refer to the text.
  std::string text;
  Module ptx;
  std::unique_ptr<ModuleState> state;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::vector<CompiledKernel> compiled;
  Globals variables;
  /// As it was translated, for functions of warps.
  std::string bitcode;
  std::mutex mutex;
  std::map<std::string, WarpFunction, std::less<>> warps; ///< Under `mutex`.
};
} // namespace

static void addKernel(JITModule &module, const ptx::Function &function,
                      llvm::Module &llvm) {
  CompiledKernel kernel;
  FunctionFacts &facts = module.state->graph.facts(function);
  kernel.name = std::string(function.name);
  kernel.sharedBytes = module.state->graph.sharedBytes(facts);
  kernel.localBytes = facts.stackBytes;
  kernel.usesBarriers = facts.usesCollectives;
  kernel.maxThreads = function.maxThreads;
  std::copy(function.reqThreads, function.reqThreads + 3, kernel.reqThreads);
  kernel.minBlocksPerSM = function.minBlocks;
  kernel.numRegisters = std::min<uint64_t>(facts.registers, 255);
  KernelTranslator(*module.state, function, llvm).runKernel(kernel);
  module.compiled.push_back(std::move(kernel));
}

static void addFunctions(JITModule &module, llvm::Module &llvm) {
  ModuleState &state = *module.state;
  for (const auto &function : module.ptx.functions)
    if (!function->isEntry && function->hasBody)
      state.functions.emplace(function->name, state.functions.size());
  module.variables.addAll(state);
  for (const auto &function : module.ptx.functions) {
    if (!function->hasBody)
      continue;
    if (function->isEntry)
      addKernel(module, *function, llvm);
    else
      KernelTranslator(state, *function, llvm).runFunction();
  }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

//===----------------------------------------------------------------------===//
// JIT
//===----------------------------------------------------------------------===//

static llvm::Error defineCallbacks(llvm::orc::LLJIT &jit,
                                   const CompileOptions &options) {
  llvm::orc::SymbolMap map;
  auto add = [&](const char *name, auto *function) {
    map[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported};
  };
  add("heteroEmuTranslate", &heteroEmuTranslate);
  add("heteroEmuShared", &heteroEmuShared);
  add("heteroEmuLocal", &heteroEmuLocal);
  add("heteroEmuParam", &heteroEmuParam);
  add("heteroEmuBarrier", &heteroEmuBarrier);
  add("heteroEmuBarrierArrive", &heteroEmuBarrierArrive);
  add("heteroEmuBarrierReduce", &heteroEmuBarrierReduce);
  add("heteroEmuWarpSync", &heteroEmuWarpSync);
  add("heteroEmuShuffle", &heteroEmuShuffle);
  add("heteroEmuVote", &heteroEmuVote);
  add("heteroEmuMatch", &heteroEmuMatch);
  add("heteroEmuRedux", &heteroEmuRedux);
  add("heteroEmuMatrixMultiply", &heteroEmuMatrixMultiply);
  add("heteroEmuLoadMatrix", &heteroEmuLoadMatrix);
  add("heteroEmuAccessFragment", &heteroEmuAccessFragment);
  add("heteroEmuMultiplyFragments", &heteroEmuMultiplyFragments);
  add("heteroEmuMoveMatrix", &heteroEmuMoveMatrix);
  add("heteroEmuActiveMask", &heteroEmuActiveMask);
  add("heteroEmuTrap", &heteroEmuTrap);
  add("heteroEmuYield", &heteroEmuYield);
  add("heteroEmuClock", &heteroEmuClock);
  add("heteroEmuPrintf", &heteroEmuPrintf);
  add("heteroEmuAssertFail", &heteroEmuAssertFail);
  if (options.warpCallbacks) {
    auto addNamed = [&](const char *name, void *function) {
      add(name, static_cast<uint8_t *>(function));
    };
    options.warpCallbacks(
        [](void *state, const char *name, void *function) {
          (*static_cast<decltype(addNamed) *>(state))(name, function);
        },
        &addNamed);
  }
  forEachMathFunction([&](const char *name, void *function) {
    add(name, static_cast<uint8_t *>(function));
  });
  llvm::orc::JITDylib &library = jit.getMainJITDylib();
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(map))))
    return error;
  // Math functions of the C library.
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return llvm::Error::success();
}

static llvm::Error compile(JITModule &module,
                           std::unique_ptr<llvm::LLVMContext> context,
                           std::unique_ptr<llvm::Module> llvmModule) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  llvmModule->setDataLayout((*machine)->createDataLayout());
  optimize(*llvmModule, **machine);
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*builder))
                 .create();
  if (!jit)
    return jit.takeError();
  module.jit = std::move(*jit);
  if (llvm::Error error = defineCallbacks(*module.jit, module.state->options))
    return error;
  if (llvm::Error error = module.jit->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(llvmModule), std::move(context))))
    return error;
  for (CompiledKernel &kernel : module.compiled) {
    auto address = module.jit->lookup("ptx." + kernel.name);
    if (!address)
      return address.takeError();
    kernel.function = address->toPtr<KernelFunction>();
  }
  return llvm::Error::success();
}

/// Compiles for the lanes of a warp; null when they cannot run together.
static llvm::Expected<WarpFunction>
compileKernelWarps(JITModule &module, const std::string &name) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto context = std::make_unique<llvm::LLVMContext>();
  auto parsed = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(module.bitcode, "ptx"), *context);
  if (!parsed)
    return parsed.takeError();
  (*parsed)->setTargetTriple((*machine)->getTargetTriple());
  (*parsed)->setDataLayout((*machine)->createDataLayout());
  std::string why;
  if (!compileWarps(**parsed, name, **machine, why))
    return nullptr;
  if (llvm::Error error = module.jit->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(*parsed), std::move(context))))
    return error;
  auto address = module.jit->lookup("warp." + name);
  if (!address)
    return address.takeError();
  return address->toPtr<WarpFunction>();
}

WarpFunction JITModule::warpFunction(const CompiledKernel &kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = warps.find(kernel.name);
  if (it != warps.end() || bitcode.empty())
    return it == warps.end() ? nullptr : it->second;
  WarpFunction function = nullptr;
  if (auto compiled = compileKernelWarps(*this, kernel.name))
    function = *compiled;
  else
    llvm::consumeError(compiled.takeError());
  return warps[kernel.name] = function;
}

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// Parses the module's text and translates it; what is wrong with it.
static std::optional<CompileError> translate(JITModule &module,
                                             llvm::Module &llvmModule,
                                             unsigned major, unsigned minor,
                                             const CompileOptions &options) {
  try {
    module.ptx = parseModule(module.text);
    if (module.ptx.target > major * 10 + minor)
      return CompileError{CompileError::InvalidImage,
                          "PTX for sm_" + std::to_string(module.ptx.target) +
                              " on a device of compute capability " +
                              std::to_string(major) + "." +
                              std::to_string(minor)};
    module.state = std::make_unique<ModuleState>(module.ptx, options);
    addFunctions(module, llvmModule);
  } catch (const PTXError &error) {
    return CompileError{CompileError::InvalidPTX,
                        "line " + std::to_string(error.line) + ": " +
                            error.message};
  }
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::verifyModule(llvmModule, &stream))
    return CompileError{CompileError::InvalidPTX, problems};
  return std::nullopt;
}

static std::unique_ptr<JITModule> makeModule(std::string_view text) {
  while (!text.empty() && text.back() == '\0')
    text.remove_suffix(1);
  return std::make_unique<JITModule>(std::string(text));
}

std::variant<std::unique_ptr<CompiledModule>, CompileError>
hetero::emulator::compilePTX(std::string_view text, unsigned major,
                             unsigned minor, const CompileOptions &options) {
  initializeTarget();
  auto module = makeModule(text);
  auto context = std::make_unique<llvm::LLVMContext>();
  auto llvmModule = std::make_unique<llvm::Module>("ptx", *context);
  if (auto error = translate(*module, *llvmModule, major, minor, options))
    return *error;
  if (options.warpCallbacks && !options.counts && !options.asks) {
    llvm::raw_string_ostream bitcode(module->bitcode);
    llvm::WriteBitcodeToFile(*llvmModule, bitcode);
  }
  defineAccesses(*llvmModule, options.asks);
  if (llvm::Error error =
          compile(*module, std::move(context), std::move(llvmModule)))
    return CompileError{CompileError::InvalidPTX,
                        llvm::toString(std::move(error))};
  return module;
}

std::optional<CompileError>
hetero::emulator::checkPTX(std::string_view text, unsigned major,
                           unsigned minor, const CompileOptions &options) {
  auto module = makeModule(text);
  llvm::LLVMContext context;
  llvm::Module llvmModule("ptx", context);
  return translate(*module, llvmModule, major, minor, options);
}
