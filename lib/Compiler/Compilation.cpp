//===- Compilation.cpp - From a file to host and device code --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Compilation.h"

#include "DeviceNotice.h"
#include "hetero/Analysis/Machine.h"
#include "hetero/Codegen/CPU/CPUCodegen.h"
#include "hetero/Codegen/CPU/Processor.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/InitAll.h"
#include "hetero/Pipelines/HeteroPipeline.h"
#include "hetero/Support/CodeCache.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/WithColor.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/IPO/CalledValuePropagation.h"

using namespace mlir;
using namespace mlir::hetero;
using ::hetero::CodeCache;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {
struct CompileOptions {
  llvm::cl::opt<std::string> rules{
      "rules",
      llvm::cl::desc("File of rules (YAML) that place operations, or the "
                     "rules themselves"),
      llvm::cl::value_desc("file or YAML")};
  llvm::cl::opt<std::string> schedule{
      "schedule",
      llvm::cl::desc("File with a transform dialect schedule to run first"),
      llvm::cl::value_desc("file")};
  llvm::cl::opt<std::string> chip{
      "chip",
      llvm::cl::desc("NVIDIA architecture, for example sm_90; default: "
                     "the topology's, or sm_80"),
      llvm::cl::value_desc("name")};
  llvm::cl::opt<bool> allowTF32{
      "allow-tf32",
      llvm::cl::desc("Let GPUs round factors of f32 to tf32, which has 10 bits "
                     "of mantissa")};
  llvm::cl::opt<bool> boundsChecks{
      "bounds-checks",
      llvm::cl::desc("Compare dynamic sizes and indices with those that there "
                     "are, which makes an error of an access out of bounds"),
      llvm::cl::init(true)};
  llvm::cl::opt<std::string> copySite{
      "copy-site",
      llvm::cl::desc("Where copies stand: eager (behind the producer), late "
                     "(before the first use) or auto (by cost)"),
      llvm::cl::value_desc("site"), llvm::cl::init("auto")};
  llvm::cl::opt<std::string> topology{
      "topology",
      llvm::cl::desc("File with a #hetero.topology attribute, or its text"),
      llvm::cl::value_desc("file")};
  llvm::cl::opt<std::string> profile{
      "profile",
      llvm::cl::desc("File with measured times that placement and the code "
                     "generator auto go by"),
      llvm::cl::value_desc("file")};
  llvm::cl::opt<int64_t> dynamicSize{
      "dynamic-size",
      llvm::cl::desc("What placement takes a dynamic dimension to be of which "
                     "nothing is known; default: 128"),
      llvm::cl::value_desc("N"), llvm::cl::init(0)};
  llvm::cl::opt<std::string> cpu{
      "mcpu",
      llvm::cl::desc("Host CPU to generate code for; default: this one"),
      llvm::cl::value_desc("name")};
  llvm::cl::opt<std::string> processors{
      "processors",
      llvm::cl::desc("Processors to make host code for, which programs choose "
                     "from where they run: names by commas (of x86-64: "
                     "avx512bf16, avx512, avx2, baseline), all, or native: "
                     "this one's only; "
                     "default: all of hetero-compile, native of hetero-run"),
      llvm::cl::value_desc("names")};
  llvm::cl::list<std::string> sharedLibs{
      "shared-libs",
      llvm::cl::desc("Libraries with functions that the model declares and "
                     "calls: files by commas"),
      llvm::cl::value_desc("files"), llvm::cl::CommaSeparated};
  llvm::cl::opt<unsigned> level{
      "opt-level", llvm::cl::desc("LLVM's optimization level, 0 to 3"),
      llvm::cl::init(3), llvm::cl::value_desc("N")};
};
} // namespace

static llvm::ManagedStatic<CompileOptions> options;

void mlir::hetero::registerCompileOptions(llvm::StringRef processors) {
  options->processors.setInitialValue(processors.str());
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
}

std::vector<std::string> mlir::hetero::getSharedLibraries() {
  return {options->sharedLibs.begin(), options->sharedLibs.end()};
}

int mlir::hetero::reportError(llvm::StringRef tool,
                              const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), tool) << message << "\n";
  return 1;
}

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

static DialectRegistry
makeRegistry(llvm::function_ref<void(DialectRegistry &)> extend) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  mlir::hetero::registerAllDialects(registry);
  if (extend)
    extend(registry);
  return registry;
}

Compilation::Compilation(llvm::StringRef tool,
                         llvm::function_ref<void(DialectRegistry &)> extend)
    : tool(tool), context(makeRegistry(extend)) {
  // A module without annotations does not load it by itself.
  context.loadDialect<HeteroDialect>();
  mlir::hetero::registerAllPasses();
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  diagnosticHandler =
      std::make_unique<SourceMgrDiagnosticHandler>(sourceManager, &context);
}

Compilation::~Compilation() = default;

LogicalResult Compilation::fail(const llvm::Twine &message) {
  reportError(tool, message);
  return failure();
}

/// Of the vectors that a processor has.
static int64_t getVectorBits(const llvm::MCSubtargetInfo &info) {
  if (!info.getTargetTriple().isX86())
    return 128;
  return info.checkFeatures("+avx512f") ? 512
         : info.checkFeatures("+avx")   ? 256
                                        : 128;
}

LogicalResult Compilation::checkOptions() {
  if (options->level > 3)
    return fail("expected --opt-level to be 0, 1, 2 or 3, got " +
                llvm::Twine(options->level));
  auto list =
      parseProcessors(options->processors, [&](const std::string &text) {
        (void)fail("--processors: " + llvm::Twine(text));
      });
  if (failed(list))
    return failure();
  if (options->cpu.empty()) {
    processors = *list;
    return success();
  }
  if (options->processors.getNumOccurrences() && !list->empty())
    return fail("expected --mcpu or --processors, got both; leave one out");
  return checkCPU();
}

/// LLVM aborts on a processor that it does not know.
LogicalResult Compilation::checkCPU() {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return fail("LLVM has no code generator for this machine: " + error);
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, "", ""));
  if (info->isCPUStringValid(options->cpu)) {
    info.reset(target->createMCSubtargetInfo(triple, options->cpu, ""));
    vectorBits = getVectorBits(*info);
    return success();
  }
  std::string known;
  for (const auto &processor : info->getAllProcessorDescriptions())
    known += (known.empty() ? "" : ", ") + std::string(processor.Key);
  return fail("unknown processor '" + options->cpu +
              "' for --mcpu; use one that LLVM knows: " + known);
}

LogicalResult Compilation::parse(llvm::StringRef path) {
  if (failed(checkOptions()))
    return failure();
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &error);
  return file ? parse(std::move(file)) : fail(error);
}

LogicalResult Compilation::parse(std::unique_ptr<llvm::MemoryBuffer> source) {
  sourceManager.AddNewSourceBuffer(std::move(source), llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sourceManager, &context);
  if (!module)
    return failure();
  FailureOr<std::vector<EntryPoint>> entries = collectEntryPoints(*module);
  if (failed(entries))
    return failure();
  entryPoints = *entries;
  externalFunctions = collectExternalFunctions(*module);
  if (!options->cpu.empty() && !(*module)->hasAttr(kVectorBitsAttrName))
    (*module)->setAttr(kVectorBitsAttrName,
                       Builder(&context).getI64IntegerAttr(vectorBits));
  return success();
}

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

LogicalResult Compilation::runPipeline(ModuleOp target,
                                       llvm::StringRef stopAfter) {
  // Not as text, whose parser would look for quotes in rules and file names.
  HeteroPipelineOptions words;
  words.schedule = options->schedule;
  words.rules = options->rules;
  words.copySite = options->copySite;
  words.topology = options->topology;
  words.profile = options->profile;
  words.boundsChecks = options->boundsChecks;
  if (options->dynamicSize)
    words.dynamicSize = options->dynamicSize;
  words.allowTF32 = options->allowTF32.getValue();
  words.stopAfter = stopAfter.str();
  std::string names;
  for (const Processor *processor : processors)
    names += (names.empty() ? "" : ",") + processor->name.str();
  words.processors = names;
  if (!options->chip.empty())
    words.chip = options->chip;
  PassManager manager(&context);
  if (failed(applyPassManagerCLOptions(manager)) ||
      failed(
          buildHeteroPipeline(manager, words, [&](const llvm::Twine &message) {
            return fail(message);
          })))
    return failure();
  if (announces)
    manager.addInstrumentation(std::make_unique<DeviceNotice>(tool));
  announces = false;
  return manager.run(target);
}

void Compilation::setMachine(int32_t numGPUs) {
  SmallVector<Attribute> devices;
  for (int32_t i = 0; i < numGPUs; ++i)
    devices.push_back(DeviceAttr::get(&context, "gpu", i));
  (*module)->setAttr(kMachineAttrName, ArrayAttr::get(&context, devices));
}

LogicalResult Compilation::lower() { return runPipeline(*module, ""); }

std::vector<RegionDescription> Compilation::describeRegions() {
  // The compilation itself reports whatever is wrong.
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = module->clone();
  if (failed(runPipeline(*copy, stringifyPhase(Phase::Partitioned))))
    return {};
  return mlir::hetero::describeRegions(*copy);
}

SmallVector<DeviceImage> mlir::hetero::collectDeviceImages(ModuleOp module) {
  SmallVector<DeviceImage> images;
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    DeviceImage image;
    image.name = binary.getName().str();
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      llvm::StringRef text = object.getObject().getValue();
      if (object.getFormat() == gpu::CompilationTarget::Assembly)
        image.ptx = text.rtrim('\0').str();
      else
        image.cubin = text.str();
    }
    images.push_back(std::move(image));
  }
  return images;
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

static llvm::OptimizationLevel optimizationLevel() {
  switch (options->level) {
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

/// The processor of --mcpu, the least of --processors, or this one. Functions
/// that are for another say so themselves.
static std::unique_ptr<llvm::TargetMachine>
makeMachine(llvm::ArrayRef<const Processor *> processors) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  llvm::SubtargetFeatures features;
  std::string cpu = options->cpu;
  if (!processors.empty()) {
    cpu = processors.back()->cpu;
    features = llvm::SubtargetFeatures(processors.back()->features);
  } else if (cpu.empty()) {
    cpu = llvm::sys::getHostCPUName().str();
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, features.getString(), llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt,
      options->level ? llvm::CodeGenOptLevel::Aggressive
                     : llvm::CodeGenOptLevel::None));
}

/// Which functions a pointer may be, LLVM finds out argument by argument, in
/// more than linear time for a program of many. Ours calls no pointers.
static void skipCalledValues(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef pass, llvm::Any) {
        return pass != llvm::CalledValuePropagationPass::name();
      });
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
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
  llvm::OptimizationLevel level = optimizationLevel();
  llvm::ModulePassManager passes =
      level == llvm::OptimizationLevel::O0
          ? builder.buildO0DefaultPipeline(level)
          : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
}

LogicalResult Compilation::translate() {
  // The device code is in the program's constants by now; what is left of it
  // would be translated into static constructors.
  OwningOpRef<ModuleOp> host = module->clone();
  for (auto binary : llvm::make_early_inc_range(host->getOps<gpu::BinaryOp>()))
    binary.erase();
  llvmModule = translateModuleToLLVMIR(*host, llvmContext, "hetero");
  if (!llvmModule)
    return failure();
  machine = makeMachine(processors);
  if (!machine)
    return fail("LLVM has no code generator for this machine");
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  return success();
}

llvm::Module &Compilation::getOptimizedModule() {
  if (!isOptimized)
    optimize(*llvmModule, *machine);
  isOptimized = true;
  return *llvmModule;
}

/// What the host's code depends on: the program as translated, the processor
/// and the level.
static std::string keyOf(const llvm::Module &module,
                         const llvm::TargetMachine &machine) {
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream os(bitcode);
  llvm::WriteBitcodeToFile(module, os);
  return CodeCache::keyOf({"host", machine.getTargetTriple().str(),
                           machine.getTargetCPU(),
                           machine.getTargetFeatureString(),
                           std::to_string(options->level), bitcode});
}

FailureOr<std::unique_ptr<llvm::MemoryBuffer>> Compilation::emitObject() {
  CodeCache cache = CodeCache::ofCompiler();
  if (!cache.isEnabled() || isOptimized)
    return generateObject();
  std::string key = keyOf(*llvmModule, *machine);
  if (auto object = cache.find(key))
    return object;
  auto object = generateObject();
  if (succeeded(object))
    cache.store(key, (*object)->getBuffer());
  return object;
}

FailureOr<std::unique_ptr<llvm::MemoryBuffer>> Compilation::generateObject() {
  llvm::Module &optimized = getOptimizedModule();
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return fail("LLVM cannot write object files for this machine");
  passes.run(optimized);
  return std::unique_ptr<llvm::MemoryBuffer>(
      std::make_unique<llvm::SmallVectorMemoryBuffer>(
          std::move(bytes), "program.o", /*RequiresNullTerminator=*/false));
}
