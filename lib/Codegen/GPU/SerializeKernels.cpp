//===- SerializeKernels.cpp - From gpu.module to PTX and cubin ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/GPU/SerializeKernels.h"

#include "hetero/Codegen/ExpandClamp.h"

#include "hetero/Support/CodeCache.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::hetero;
using ::hetero::CodeCache;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

LogicalResult mlir::hetero::verifyChip(Location loc, StringRef chip) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return emitError(loc) << "LLVM has no NVPTX back end: " << message
                          << "; install an LLVM that has one";
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, "", ""));
  if (info->isCPUStringValid(chip))
    return success();
  std::string known;
  for (const auto &processor : info->getAllProcessorDescriptions())
    known += (known.empty() ? "" : ", ") + std::string(processor.Key);
  return emitError(loc) << "unknown chip '" << chip
                        << "'; use one that LLVM knows: " << known;
}

Attribute mlir::hetero::getNVVMTarget(MLIRContext *context, StringRef chip) {
  // Without features LLVM picks the PTX version that the chip needs.
  return NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3,
                                   "nvptx64-nvidia-cuda", chip,
                                   /*features=*/"");
}

std::string mlir::hetero::findCUDAToolkit() {
  const char *disabled = std::getenv("HETERO_CUDA_DISABLE");
  if (disabled && StringRef(disabled) == "1")
    return "";
  SmallVector<std::string> places;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (const char *value = std::getenv(variable))
      places.push_back(value);
  places.append({"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"});
  for (const std::string &place : places) {
    SmallString<128> libdevice(place);
    llvm::sys::path::append(libdevice, "nvvm", "libdevice", "libdevice.10.bc");
    if (llvm::sys::fs::exists(libdevice))
      return place;
  }
  return "";
}

/// Math functions that nothing else lowers; without libdevice also MLIR's
/// polynomial approximations.
static LogicalResult expandMath(ModuleOp module, bool hasLibdevice) {
  RewritePatternSet patterns(module.getContext());
  populateExpandClampPatterns(patterns);
  if (!hasLibdevice)
    populateMathPolynomialApproximationPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    if (failed(applyPatternsGreedily(kernels, frozen)))
      return failure();
  return success();
}

LogicalResult mlir::hetero::lowerKernelsToNVVM(
    ModuleOp module, function_ref<LogicalResult(OpPassManager &)> run) {
  if (module.getOps<gpu::GPUModuleOp>().empty())
    return success();
  if (failed(expandMath(module, !findCUDAToolkit().empty())))
    return failure();
  OpPassManager manager(ModuleOp::getOperationName());
  OpPassManager &kernels = manager.nest<gpu::GPUModuleOp>();
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions options;
  options.indexBitwidth = 64;
  kernels.addPass(createConvertGpuOpsToNVVMOps(options));
  // What has no libdevice function but an LLVM intrinsic.
  kernels.addPass(createConvertMathToLLVMPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  return run(manager);
}

/// Serializes the kernels of `module` in one format.
static LogicalResult runToBinary(ModuleOp module, StringRef format,
                                 StringRef toolkit) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  GpuModuleToBinaryPassOptions options;
  options.toolkitPath = toolkit.str();
  options.compilationTarget = format.str();
  manager.addPass(createGpuModuleToBinaryPass(options));
  return manager.run(module);
}

/// The toolkit's assembler; empty if there is none.
static std::string findPtxas(StringRef toolkit) {
  SmallString<128> path(toolkit);
  llvm::sys::path::append(path, "bin", "ptxas");
  bool isThere = !toolkit.empty() && llvm::sys::fs::can_execute(path);
  return isThere ? path.str().str() : "";
}

/// Adds the objects of `from` to the binaries of the same name in `to`.
static void mergeObjects(ModuleOp to, ModuleOp from) {
  for (auto binary : to.getOps<gpu::BinaryOp>()) {
    auto other = from.lookupSymbol<gpu::BinaryOp>(binary.getName());
    if (!other)
      continue;
    SmallVector<Attribute> objects(binary.getObjects().getValue());
    llvm::append_range(objects, other.getObjects());
    binary.setObjectsAttr(ArrayAttr::get(to.getContext(), objects));
  }
}

/// Upstream notes in each object how long it took: the same program would never
/// print the same twice.
static void dropTimes(ModuleOp module) {
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    SmallVector<Attribute> objects;
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      NamedAttrList properties(object.getProperties());
      for (NamedAttribute property : llvm::to_vector(properties))
        if (property.getName().strref().ends_with("TimeInMs"))
          properties.erase(property.getName());
      objects.push_back(gpu::ObjectAttr::get(
          module.getContext(), object.getTarget(), object.getFormat(),
          object.getObject(), properties.getDictionary(module.getContext()),
          object.getKernels()));
    }
    binary.setObjectsAttr(ArrayAttr::get(module.getContext(), objects));
  }
}

/// Makes cubins of the kernels in `device`. A toolkit that does not know the
/// chip, being too old or too new, makes none: the PTX still runs.
static LogicalResult makeCubins(ModuleOp device, StringRef toolkit) {
  std::string message;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(
        device.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            message += diagnostic.str() + "\n";
        });
    result = runToBinary(device, "bin", toolkit);
  }
  if (succeeded(result))
    return success();
  device.getBody()->clear();
  if (StringRef(message).contains("is not defined for option 'gpu-name'")) {
    emitWarning(device.getLoc())
        << "ptxas of '" << toolkit
        << "' does not know the chip; only PTX is embedded, which the driver "
           "compiles when it loads it";
    return success();
  }
  return emitError(device.getLoc()) << "no cubin can be made: " << message
                                    << "; set HETERO_CUDA_DISABLE=1 to embed "
                                       "only PTX";
}

//===----------------------------------------------------------------------===//
// The cache of compiled kernels
//===----------------------------------------------------------------------===//

/// What the module's code depends on: itself and the toolkit.
static std::string keyOf(gpu::GPUModuleOp kernels, StringRef toolkit) {
  std::string text;
  llvm::raw_string_ostream os(text);
  kernels.print(os, OpPrintingFlags().useLocalScope().printGenericOpForm());
  std::string ptxas = findPtxas(toolkit);
  return CodeCache::keyOf({"kernels",
                           ptxas.empty() ? "" : CodeCache::identify(ptxas),
                           toolkit, text});
}

/// Replaces the module by the binary that was made of it before; false if none
/// was.
static bool useCached(gpu::GPUModuleOp kernels, const CodeCache &cache,
                      const std::string &key) {
  std::unique_ptr<llvm::MemoryBuffer> text = cache.find(key);
  if (!text)
    return false;
  ParserConfig config(kernels.getContext());
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text->getBuffer(), config);
  auto binaries = module ? llvm::to_vector(module->getOps<gpu::BinaryOp>())
                         : SmallVector<gpu::BinaryOp>();
  if (binaries.size() != 1)
    return false;
  OpBuilder(kernels).clone(*binaries.front());
  kernels.erase();
  return true;
}

static LogicalResult compileKernels(ModuleOp module, StringRef toolkit) {
  if (module.getOps<gpu::GPUModuleOp>().empty())
    return success();
  OwningOpRef<ModuleOp> device = ModuleOp::create(module.getLoc());
  if (!findPtxas(toolkit).empty()) {
    for (auto kernels : module.getOps<gpu::GPUModuleOp>())
      device->push_back(kernels->clone());
    if (failed(makeCubins(*device, toolkit)))
      return failure();
  }
  if (failed(runToBinary(module, "isa", toolkit)))
    return failure();
  mergeObjects(module, *device);
  dropTimes(module);
  return success();
}

LogicalResult mlir::hetero::serializeKernels(ModuleOp module) {
  std::string toolkit = findCUDAToolkit();
  CodeCache cache = CodeCache::ofCompiler();
  if (!cache.isEnabled())
    return compileKernels(module, toolkit);
  llvm::StringMap<std::string> keys; // Of the modules that are compiled now.
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    std::string key = keyOf(kernels, toolkit), name = kernels.getName().str();
    if (!useCached(kernels, cache, key))
      keys[name] = key;
  }
  if (failed(compileKernels(module, toolkit)))
    return failure();
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    auto key = keys.find(binary.getName());
    if (key == keys.end())
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    binary->print(os, OpPrintingFlags().useLocalScope());
    cache.store(key->second, text);
  }
  return success();
}
