//===- InitAll.cpp - Registers everything of this project -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/InitAll.h"

#include "hetero/Codegen/CPU/CPUKind.h"
#include "hetero/Codegen/GPU/GPUKind.h"
#include "hetero/Codegen/Libraries/Libraries.h"
#include "hetero/Codegen/Passes/Passes.h"
#include "hetero/Conversion/Passes.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/TransformOps/HeteroTransformOps.h"
#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"
#include "hetero/Import/ONNX/ImportONNX.h"
#include "hetero/Pipelines/HeteroPipeline.h"
#include "hetero/Target/DotView.h"
#include "hetero/Target/HtmlView.h"
#include "hetero/Target/JsonView.h"
#include "hetero/Transforms/Buffers/BufferizableOpInterfaceImpl.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;

void hetero::registerAllDialects(DialectRegistry &registry) {
  registry.insert<HeteroDialect, tm_tensor::TMTensorDialect>();
  registerPlacementModels(registry);
  registerBufferizableOpInterfaceExternalModels(registry);
  registerCPUKind(registry);
  registerGPUKind(registry);
  registerLibraryGenerators(registry);
  registerTransformDialectExtension(registry);
  // Kernels are serialized to PTX inside the pipeline.
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  // Analyses in passes of others make attributes of the dialect, where none can
  // be loaded: a context of this registry has it from the start.
  registry.addExtension(+[](MLIRContext *context, BuiltinDialect *) {
    context->loadDialect<HeteroDialect>();
  });
}

void hetero::registerAllPasses() {
  registerHeteroTransformsPasses();
  registerHeteroCodegenPasses();
  registerHeteroConversionPasses();
  registerHeteroPipelines();
}

/// Registers a translation of modules in any dialect. Reading verifies a
/// module; upstream's TranslateFromMLIRRegistration does so once more, which
/// is a quarter of the time that the page of a large program takes.
static void registerPrinter(
    StringRef name, StringRef description,
    const std::function<LogicalResult(ModuleOp, llvm::raw_ostream &)> &print) {
  TranslateRegistration(
      name, description,
      [print](const std::shared_ptr<llvm::SourceMgr> &source,
              llvm::raw_ostream &os, MLIRContext *context) -> LogicalResult {
        DialectRegistry registry;
        mlir::registerAllDialects(registry);
        mlir::registerAllExtensions(registry);
        hetero::registerAllDialects(registry);
        context->appendDialectRegistry(registry);
        auto module = parseSourceFile<ModuleOp>(source, context);
        return module ? print(*module, os) : failure();
      });
}

void hetero::registerAllTranslations() {
  registerONNXTranslation();
  registerPrinter("placement-to-dot",
                  "print a placed module as a graph for Graphviz",
                  printPlacementAsDot);
  registerPrinter("placement-to-json",
                  "print the operations and copies of a placed module",
                  printPlacementAsJson);
  static llvm::cl::opt<std::string> against(
      "view-against",
      llvm::cl::desc("--placement-to-html: compare with this placed module"),
      llvm::cl::value_desc("file"));
  static llvm::cl::opt<std::string> profile(
      "view-profile",
      llvm::cl::desc("--placement-to-html: times that the module was placed "
                     "with, as --hetero-place=profile"),
      llvm::cl::value_desc("file"));
  registerPrinter("placement-to-html", "print a placed module as a web page",
                  [](ModuleOp module, llvm::raw_ostream &os) {
                    return printPlacementAsHtml(module, {against, profile}, os);
                  });
}
