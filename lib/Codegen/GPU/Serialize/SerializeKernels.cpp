//===- SerializeKernels.cpp - From gpu.module to PTX and cubin ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/GPU/Serialize/SerializeKernels.h"

#include "Codegen/Arithmetic/ExpandPowers.h"
#include "hetero/Codegen/Arithmetic/ExpandConversions.h"
#include "hetero/Codegen/Arithmetic/ExpandElementTypes.h"
#include "hetero/Codegen/Arithmetic/ExpandMath.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Support/CodeCache.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::hetero;
using ::hetero::CodeCache;

/// Directory of the CUDA toolkit: CUDA_HOME, CUDA_PATH or the usual places;
/// empty when there is none, or HETERO_CUDA_DISABLE is 1.
static std::string findCUDAToolkit() {
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

/// Element types and math functions that nothing else lowers; without libdevice
/// also MLIR's polynomial approximations.
static LogicalResult expandMath(ModuleOp module, bool hasLibdevice) {
  RewritePatternSet patterns(module.getContext());
  populateExpandMathPatterns(patterns);
  populateExpandPowersPatterns(patterns);
  populateExpandConversionsPatterns(patterns);
  if (!hasLibdevice)
    populateMathPolynomialApproximationPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    if (failed(expandElementTypes(kernels)) ||
        failed(applyPatternsGreedily(kernels, frozen)))
      return failure();
  return success();
}

/// Parameters that are tensor maps are passed by value and stay where they are:
/// gpu.func has no way to say so.
static void markTensorMaps(ModuleOp module) {
  Builder builder(module.getContext());
  auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), 16);
  module.walk([&](LLVM::LLVMFuncOp kernel) {
    auto maps = kernel->getAttrOfType<DenseI32ArrayAttr>(kTensorMapsAttrName);
    if (!maps)
      return;
    for (int32_t argument : maps.asArrayRef()) {
      kernel.setArgAttr(argument, LLVM::LLVMDialect::getByValAttrName(),
                        TypeAttr::get(type));
      kernel.setArgAttr(argument, LLVM::LLVMDialect::getAlignAttrName(),
                        builder.getI64IntegerAttr(64));
      kernel.setArgAttr(argument, NVVM::NVVMDialect::getGridConstantAttrName(),
                        builder.getUnitAttr());
    }
    kernel->removeAttr(kTensorMapsAttrName);
  });
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
  kernels.addPass(createConvertIndexToLLVMPass({options.indexBitwidth}));
  // What has no libdevice function but an LLVM intrinsic.
  kernels.addPass(createConvertMathToLLVMPass());
  // Instructions that are inline PTX.
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  if (failed(run(manager)))
    return failure();
  markTensorMaps(module);
  return success();
}

/// The toolkit's assembler; empty if there is none.
static std::string findPtxas(StringRef toolkit) {
  SmallString<128> path(toolkit);
  llvm::sys::path::append(path, "bin", "ptxas");
  bool isThere = !toolkit.empty() && llvm::sys::fs::can_execute(path);
  return isThere ? path.str().str() : "";
}

//===----------------------------------------------------------------------===//
// Modules to objects
//===----------------------------------------------------------------------===//

namespace {
/// What became of a module for one of its targets.
struct Compiled {
  gpu::GPUModuleOp kernels;
  gpu::TargetAttrInterface target;
  std::string ptx;
  /// None without an assembler, or where that failed.
  std::optional<SmallVector<char, 0>> cubin;
};
} // namespace

/// Compiles a module for the target, to a cubin as well if there is an
/// assembler. LLVM makes the PTX once for both. Changes no IR, so that threads
/// may do it.
static void compileModule(Compiled &compiled, StringRef toolkit,
                          bool assembles) {
  auto takePTX = [&](StringRef text) { compiled.ptx = text.str(); };
  gpu::TargetOptions options(
      toolkit, /*librariesToLink=*/{}, /*cmdOptions=*/{}, /*elfSection=*/{},
      assembles ? gpu::CompilationTarget::Binary
                : gpu::CompilationTarget::Assembly,
      /*getSymbolTableCallback=*/{}, {}, {}, {}, takePTX);
  std::optional<SmallVector<char, 0>> object =
      compiled.target.serializeToObject(compiled.kernels, options);
  if (assembles)
    compiled.cubin = std::move(object);
  else if (!object)
    compiled.ptx.clear();
}

/// The object's attribute without the notes of how long it took: the same
/// program would never print the same twice.
static Attribute makeObject(const Compiled &compiled,
                            gpu::CompilationTarget format,
                            const SmallVector<char, 0> &bytes) {
  gpu::TargetOptions options({}, {}, {}, {}, format);
  gpu::GPUModuleOp kernels = compiled.kernels;
  auto object = cast<gpu::ObjectAttr>(
      compiled.target.createObject(kernels, bytes, options));
  NamedAttrList properties(object.getProperties());
  for (NamedAttribute property : llvm::to_vector(properties))
    if (property.getName().strref().ends_with("TimeInMs"))
      properties.erase(property.getName());
  return gpu::ObjectAttr::get(kernels.getContext(), object.getTarget(),
                              object.getFormat(), object.getObject(),
                              properties.getDictionary(kernels.getContext()),
                              object.getKernels());
}

/// Replaces the module by what was made of it for each target.
static void replaceByBinary(gpu::GPUModuleOp kernels,
                            ArrayRef<Compiled> compiled) {
  SmallVector<Attribute> objects;
  for (const Compiled &each : compiled) {
    SmallVector<char, 0> ptx(each.ptx.begin(), each.ptx.end());
    ptx.push_back(0);
    objects.push_back(makeObject(each, gpu::CompilationTarget::Assembly, ptx));
    if (each.cubin)
      objects.push_back(
          makeObject(each, gpu::CompilationTarget::Binary, *each.cubin));
  }
  OpBuilder builder(kernels);
  gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(),
                        /*offloadingHandler=*/nullptr,
                        builder.getArrayAttr(objects));
  kernels.erase();
}

/// What could not be made. A toolkit that does not know the chip, being too old
/// or too new, makes no cubin: the PTX still runs.
static LogicalResult checkCompiled(ModuleOp module, ArrayRef<Compiled> compiled,
                                   bool assembles, StringRef toolkit,
                                   StringRef message) {
  if (llvm::any_of(compiled,
                   [](const Compiled &each) { return each.ptx.empty(); }))
    return emitError(module.getLoc())
           << "no PTX can be made: " << message
           << "; compile for a chip that LLVM supports with --chip";
  if (!assembles || llvm::all_of(compiled, [](const Compiled &each) {
        return each.cubin.has_value();
      }))
    return success();
  if (!message.contains("is not defined for option 'gpu-name'"))
    return emitError(module.getLoc())
           << "no cubin can be made: " << message
           << "; set HETERO_CUDA_DISABLE=1 to embed only PTX";
  emitWarning(module.getLoc())
      << "ptxas of '" << toolkit
      << "' does not know the chip; only PTX is embedded, which the driver "
         "compiles when it loads it";
  return success();
}

/// Modules are compiled for their targets by as many threads as the context
/// has.
static LogicalResult compileKernels(ModuleOp module, StringRef toolkit,
                                    bool assembles) {
  auto modules = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
  std::vector<Compiled> compiled;
  for (gpu::GPUModuleOp kernels : modules)
    for (auto target :
         kernels.getTargetsAttr().getAsRange<gpu::TargetAttrInterface>())
      compiled.push_back({kernels, target, {}, std::nullopt});
  std::string message;
  {
    // Called for one diagnostic at a time.
    ScopedDiagnosticHandler handler(
        module.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          message += diagnostic.str() + "\n";
          return success();
        });
    parallelFor(module.getContext(), 0, compiled.size(), [&](size_t index) {
      compileModule(compiled[index], toolkit, assembles);
    });
  }
  if (failed(checkCompiled(module, compiled, assembles, toolkit, message)))
    return failure();
  ArrayRef<Compiled> rest = compiled;
  for (gpu::GPUModuleOp kernels : modules) {
    size_t count = kernels.getTargetsAttr().size();
    replaceByBinary(kernels, rest.take_front(count));
    rest = rest.drop_front(count);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The cache of compiled kernels
//===----------------------------------------------------------------------===//

/// What the module's code depends on: itself, the toolkit, and its assembler;
/// empty for PTX alone.
static std::string keyOf(gpu::GPUModuleOp kernels, StringRef toolkit,
                         StringRef ptxas) {
  std::string text;
  llvm::raw_string_ostream os(text);
  kernels.print(os, OpPrintingFlags().useLocalScope().printGenericOpForm());
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

LogicalResult mlir::hetero::serializeKernels(ModuleOp module, bool assembles) {
  std::string toolkit = findCUDAToolkit();
  std::string ptxas = assembles ? findPtxas(toolkit) : "";
  CodeCache cache = CodeCache::ofCompiler();
  if (!cache.isEnabled())
    return compileKernels(module, toolkit, !ptxas.empty());
  llvm::StringMap<std::string> keys; // Of the modules that are compiled now.
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    std::string key = keyOf(kernels, toolkit, ptxas),
                name = kernels.getName().str();
    if (!useCached(kernels, cache, key))
      keys[name] = key;
  }
  if (failed(compileKernels(module, toolkit, !ptxas.empty())))
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
