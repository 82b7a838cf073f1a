//===- Compiler.cpp - Compiles PTX for the host ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Compile/Compiler.h"

#include "Emulator/ABI/ExecutorCallbacks.h"
#include "Emulator/Compile/Extract.h"
#include "Emulator/PTX/Lexer.h"
#include "Emulator/PTX/Limits.h"
#include "Emulator/PTX/Parser.h"
#include "Emulator/Translate/Access.h"
#include "Emulator/Translate/Globals.h"
#include "Emulator/Translate/Kernel.h"
#include "Emulator/Translate/Math.h"
#include "Emulator/Translate/Passes.h"
#include "Emulator/Vectorize/WarpCompiler.h"
#include "Emulator/Vectorize/WarpSteps.h"
#include "hetero/Support/CodeCache.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"

#include <cstring>
#include <mutex>

using namespace hetero;
using namespace hetero::emulator;
using namespace hetero::emulator::ptx;

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

namespace {
/// The machine that runs kernels.
struct Host {
  llvm::orc::JITTargetMachineBuilder builder;
  std::unique_ptr<llvm::TargetMachine> machine;

  static llvm::Expected<Host> detect();
};

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
  KernelFunction threadFunction(const CompiledKernel &kernel) override;
  WarpFunction warpFunction(const CompiledKernel &kernel) override;
  bool isFromCache() const override { return isFound; }
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
  /// As it was translated: kernels are compiled one by one.
  std::string bitcode;
  /// A name for the text, as it is compiled for the host.
  std::string key;
  std::optional<Host> host;

private:
  std::unique_ptr<llvm::MemoryBuffer> compile(const std::string &name,
                                              bool isOfWarps);
  void *find(const std::string &name, bool isOfWarps);

  std::mutex mutex;
  /// Functions by their symbols, null where there is none; under `mutex`.
  std::map<std::string, void *> functions;
  bool isFound = true;
};
} // namespace

static void addKernel(JITModule &module, const ptx::Function &function,
                      llvm::Module &llvm) {
  CompiledKernel kernel;
  FunctionFacts &facts = module.state->graph.facts(function);
  kernel.name = std::string(function.name);
  kernel.sharedBytes = module.state->graph.sharedBytes(facts);
  kernel.localBytes = facts.stackBytes;
  kernel.usesReservedShared = facts.usesReservedShared;
  kernel.usesBarriers = facts.usesCollectives;
  kernel.maxThreads = function.maxThreads;
  std::copy(function.reqThreads, function.reqThreads + 3, kernel.reqThreads);
  std::copy(function.reqCluster, function.reqCluster + 3, kernel.reqCluster);
  kernel.minBlocksPerSM = function.minBlocks;
  kernel.lines = &module.ptx.lines;
  kernel.ptxVersion = module.ptx.target;
  kernel.numRegisters = std::min<uint64_t>(facts.registers, 255);
  KernelTranslator(*module.state, function, llvm).runKernel(kernel);
  module.compiled.push_back(std::move(kernel));
}

static void addFunctions(JITModule &module, llvm::Module &llvm) {
  ModuleState &state = *module.state;
  checkLimits(module.ptx, state.graph);
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
  WarpSteps steps(llvm, /*orderedOnly=*/state.options.asksShared);
  for (CompiledKernel &kernel : module.compiled)
    kernel.usesBarriers |= steps.areIn(*llvm.getFunction("ptx." + kernel.name));
}

//===----------------------------------------------------------------------===//
// JIT
//===----------------------------------------------------------------------===//

static llvm::Error defineCallbacks(llvm::orc::LLJIT &jit, ModuleState &state) {
  const CompileOptions &options = state.options;
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
  add("heteroEmuClusterBarrier", &heteroEmuClusterBarrier);
  add("heteroEmuPhase", &heteroEmuPhase);
  add("heteroEmuBulkCopy", &heteroEmuBulkCopy);
  add("heteroEmuTensorCopy", &heteroEmuTensorCopy);
  add("heteroEmuGroups", &heteroEmuGroups);
  add("heteroEmuWarpSync", &heteroEmuWarpSync);
  add("heteroEmuShuffle", &heteroEmuShuffle);
  add("heteroEmuVote", &heteroEmuVote);
  add("heteroEmuMatch", &heteroEmuMatch);
  add("heteroEmuRedux", &heteroEmuRedux);
  add("heteroEmuMatrixMultiply", &heteroEmuMatrixMultiply);
  add("heteroEmuQuadMultiply", &heteroEmuQuadMultiply);
  add("heteroEmuLoadMatrix", &heteroEmuLoadMatrix);
  add("heteroEmuStoreMatrix", &heteroEmuStoreMatrix);
  add("heteroEmuReplaceMap", &heteroEmuReplaceMap);
  add("heteroEmuCopyMap", &heteroEmuCopyMap);
  add("heteroEmuAccessFragment", &heteroEmuAccessFragment);
  add("heteroEmuMultiplyFragments", &heteroEmuMultiplyFragments);
  add("heteroEmuGroupMultiply", &heteroEmuGroupMultiply);
  add("heteroEmuMoveMatrix", &heteroEmuMoveMatrix);
  add("heteroEmuSpin", &heteroEmuSpin);
  add("heteroEmuStep", &heteroEmuStep);
  add("heteroEmuSleep", &heteroEmuSleep);
  add("heteroEmuAllocate", &heteroEmuAllocate);
  add("heteroEmuFree", &heteroEmuFree);
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
  if (!state.addresses.empty())
    add(kAddresses, state.addresses.data());
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

llvm::Expected<Host> Host::detect() {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setRelocationModel(llvm::Reloc::PIC_);
  builder->setCodeModel(llvm::CodeModel::Small);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  return Host{std::move(*builder), std::move(*machine)};
}

/// A name for the module's text, as it is compiled for the host.
static std::string keyOf(const JITModule &module) {
  const CompileOptions &options = module.state->options;
  const llvm::TargetMachine &machine = *module.host->machine;
  std::string flags = std::string(options.counts ? "counts " : "") +
                      (options.asks ? "asks " : "") +
                      (options.asksShared ? "shared " : "") +
                      std::to_string(options.limit);
  return CodeCache::keyOf({flags, machine.getTargetTriple().str(),
                           machine.getTargetCPU(),
                           machine.getTargetFeatureString(), module.text});
}

static llvm::Error createJIT(JITModule &module) {
  auto host = Host::detect();
  if (!host)
    return host.takeError();
  module.host = std::move(*host);
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(module.host->builder)
                 .create();
  if (!jit)
    return jit.takeError();
  module.jit = std::move(*jit);
  return defineCallbacks(*module.jit, *module.state);
}

/// Whether the threads of a warp may run as one: code that tells of single
/// threads is not for that.
static bool hasWarps(const CompileOptions &options) {
  return options.warpCallbacks && !options.counts && !options.asks &&
         !options.asksShared && !options.limit;
}

/// LLVM's code generator takes a time that is quadratic in the number of calls,
/// but where it optimizes nothing.
static llvm::CodeGenOptLevel codeLevel(const llvm::Module &module,
                                       bool isOfWarps) {
  // Vectors of 32 are several registers each.
  const unsigned most = isOfWarps ? 500 : 1500;
  unsigned calls = 0;
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &op : block)
        calls += llvm::isa<llvm::CallInst>(op);
  return calls > most ? llvm::CodeGenOptLevel::None
                      : llvm::CodeGenOptLevel::Default;
}

/// Code for a thread, or for the lanes of a warp: empty when they cannot run
/// together, null when something fails.
std::unique_ptr<llvm::MemoryBuffer> JITModule::compile(const std::string &name,
                                                       bool isOfWarps) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      extractFunction(bitcode, "ptx." + name, context);
  if (!module)
    return nullptr;
  module->setTargetTriple(host->machine->getTargetTriple());
  module->setDataLayout(host->machine->createDataLayout());
  std::string why;
  if (!isOfWarps) {
    defineAccesses(*module, state->options.asks, state->options.asksShared);
    Passes(*host->machine).optimize(*module);
  } else if (!compileWarps(*module, name, *host->machine, why)) {
    return llvm::MemoryBuffer::getMemBufferCopy("");
  }
  host->machine->setOptLevel(codeLevel(*module, isOfWarps));
  auto object = llvm::orc::SimpleCompiler(*host->machine)(*module);
  if (object)
    return std::move(*object);
  llvm::consumeError(object.takeError());
  return nullptr;
}

/// The address of a kernel's function; null where there is none.
void *JITModule::find(const std::string &name, bool isOfWarps) {
  std::lock_guard<std::mutex> lock(mutex);
  std::string symbol = (isOfWarps ? "warp." : "ptx.") + name;
  auto [it, isNew] = functions.try_emplace(symbol, nullptr);
  if (!isNew)
    return it->second;
  CodeCache cache(state->options.cache);
  std::string file = CodeCache::keyOf({symbol, key});
  std::unique_ptr<llvm::MemoryBuffer> object = cache.find(file);
  if (!object) {
    isFound = false;
    object = compile(name, isOfWarps);
    if (!object)
      return nullptr;
    cache.store(file, object->getBuffer());
  }
  if (object->getBufferSize() == 0)
    return nullptr;
  auto address = [&]() -> llvm::Expected<llvm::orc::ExecutorAddr> {
    if (llvm::Error error = jit->addObjectFile(std::move(object)))
      return error;
    return jit->lookup(symbol);
  }();
  if (address)
    return it->second = address->toPtr<void *>();
  llvm::consumeError(address.takeError());
  return nullptr;
}

KernelFunction JITModule::threadFunction(const CompiledKernel &kernel) {
  return reinterpret_cast<KernelFunction>(find(kernel.name, false));
}

WarpFunction JITModule::warpFunction(const CompiledKernel &kernel) {
  if (!hasWarps(state->options))
    return nullptr;
  return reinterpret_cast<WarpFunction>(find(kernel.name, true));
}

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// PTX with a suffix is for one architecture, or for its family.
static bool isFor(const Module &module, unsigned major, unsigned minor) {
  unsigned device = major * 10 + minor;
  if (module.targetExact)
    return module.target == device;
  return module.target <= device &&
         (!module.targetFamily || module.target / 10 == major);
}

/// Parses the module's text and translates it; what is wrong with it.
static std::optional<CompileError> translate(JITModule &module,
                                             llvm::Module &llvmModule,
                                             unsigned major, unsigned minor,
                                             const CompileOptions &options) {
  try {
    module.ptx = parseModule(module.text);
    if (!isFor(module.ptx, major, minor))
      return CompileError{CompileError::InvalidImage,
                          "PTX for sm_" + std::to_string(module.ptx.target) +
                              (module.ptx.targetExact    ? "a"
                               : module.ptx.targetFamily ? "f"
                                                         : "") +
                              " on a device of compute capability " +
                              std::to_string(major) + "." +
                              std::to_string(minor)};
    module.state = std::make_unique<ModuleState>(module.ptx, options);
    addFunctions(module, llvmModule);
  } catch (const PTXError &error) {
    return CompileError{
        error.isNewer ? CompileError::NewerPTX : CompileError::InvalidPTX,
        "line " + std::to_string(error.line) + ": " + error.message};
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
  llvm::LLVMContext context;
  llvm::Module llvmModule("ptx", context);
  if (auto error = translate(*module, llvmModule, major, minor, options))
    return *error;
  {
    llvm::raw_string_ostream stream(module->bitcode);
    llvm::WriteBitcodeToFile(llvmModule, stream);
  }
  if (llvm::Error error = createJIT(*module))
    return CompileError{CompileError::InvalidPTX,
                        llvm::toString(std::move(error))};
  module->key = keyOf(*module);
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
