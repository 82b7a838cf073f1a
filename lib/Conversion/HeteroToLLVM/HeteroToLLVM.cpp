//===- HeteroToLLVM.cpp - Lowers host code to the llvm dialect ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last phase. Host loops and vectors are lowered by upstream's passes,
// memory and device operations become calls of the runtime, and public
// functions get entry points with the C ABI of HeteroRuntime.h. Device code is
// in gpu.binary operations by now and stays there, beside the constants that
// the host program embeds.
//
//===----------------------------------------------------------------------===//

#include "Conversion/CopyRows.h"
#include "Conversion/RuntimeABI/StateTable.h"
#include "DeviceConstants.h"
#include "DeviceImages.h"
#include "EntryPoints.h"
#include "LibraryCalls.h"
#include "MaskedAccesses.h"
#include "MergeConstants.h"
#include "NarrowElements.h"
#include "Processors.h"
#include "PropagateStatus.h"
#include "ReservedNames.h"
#include "RuntimeCalls.h"
#include "Unload.h"
#include "hetero/Codegen/GPU/Serialize/MergeKernels.h"
#include "hetero/Codegen/GPU/Serialize/SerializeKernels.h"
#include "hetero/Conversion/HostLoops/LowerHostLoops.h"
#include "hetero/Conversion/Passes.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_CONVERTHETEROTOLLVMPASS
#include "hetero/Conversion/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

/// Everything that upstream lowers without help from the runtime.
static void addHostLowering(OpPassManager &pipeline) {
  addLowerHostLoopsPasses(pipeline);
  pipeline.addPass(createConvertMathToLibmPass());
  pipeline.addPass(arith::createArithExpandOpsPass());
}

/// Makes arithmetic of views. Upstream's pass would fold all operations and
/// compare all blocks, of which there are thousands by now.
static LogicalResult expandViews(ModuleOp module) {
  SmallVector<Operation *> views;
  module.walk([&](Operation *op) {
    if (isa_and_present<memref::MemRefDialect>(op->getDialect()))
      views.push_back(op);
  });
  RewritePatternSet patterns(module.getContext());
  memref::populateExpandStridedMetadataPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(views, std::move(patterns), config);
}

/// What is left of arithmetic when all is llvm. LLVM itself joins blocks.
static void addCleanUp(OpPassManager &pipeline) {
  pipeline.addPass(createReconcileUnrealizedCastsPass());
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pipeline.addPass(createCanonicalizerPass(config));
}

static void populatePatterns(const LLVMTypeConverter &converter,
                             SymbolTableCollection &symbols,
                             RewritePatternSet &patterns) {
  populateRuntimeCallPatterns(converter, patterns);
  populateLibraryCallPatterns(converter, patterns);
  populateNarrowElementPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateComplexToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns, &symbols);
  populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
}

static LogicalResult convertToLLVM(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  LLVMTypeConverter converter(context, options);
  converter.addConversion([](gpu::AsyncTokenType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  SymbolTableCollection symbols;
  RewritePatternSet patterns(context);
  populatePatterns(converter, symbols, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp, gpu::BinaryOp>();
  target.addIllegalDialect<gpu::GPUDialect, memref::MemRefDialect,
                           HeteroDialect, func::FuncDialect>();
  target.addLegalOp<gpu::BinaryOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

/// Only entry points are visible: two programs in one process must not see each
/// other's functions. Called before there are any.
static void hideFunctions(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      function.setLinkage(LLVM::Linkage::Internal);
}

/// The devices are in the code by now; what is left of them on operations and
/// arguments would be unknown attributes to mlir-translate.
static void dropPlacement(ModuleOp module) {
  module->walk([&](Operation *op) {
    if (op != module)
      removeOwnAttributes(op);
  });
}

/// Kernels of the host are functions like any others from here on.
static void callKernels(ModuleOp module) {
  module.walk([](InvokeOp op) {
    OpBuilder builder(op);
    func::CallOp::create(builder, op.getLoc(), op.getKernelAttr(), TypeRange(),
                         op->getOperands());
    op.erase();
  });
}

/// Symbols of constants on devices by those of their elements.
static llvm::StringMap<std::string>
getResidents(const DeviceConstants &constants) {
  llvm::StringMap<std::string> residents;
  for (const DeviceConstant &constant : constants.all)
    residents[constant.elements] = constant.symbol;
  return residents;
}

static int64_t countRuntimeCalls(ModuleOp module) {
  int64_t count = 0;
  module.walk([&](LLVM::CallOp op) {
    std::optional<StringRef> callee = op.getCallee();
    count += callee && callee->starts_with("hetero");
  });
  return count;
}

namespace {
struct ConvertHeteroToLLVMPass
    : public mlir::hetero::impl::ConvertHeteroToLLVMPassBase<
          ConvertHeteroToLLVMPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) >= Phase::LLVM)
      return;
    if (failed(renameReservedFunctions(module)))
      return signalPassFailure();
    FailureOr<std::vector<EntrySignature>> entries =
        separateEntryPoints(module);
    if (failed(entries))
      return signalPassFailure();
    auto run = [&](OpPassManager &passes) {
      return runPipeline(passes, module);
    };
    int64_t mergedKernels = mergeEqualKernels(module);
    if (failed(lowerKernelsToNVVM(module, run)) ||
        failed(serializeKernels(module, cubins)))
      return signalPassFailure();
    callKernels(module);
    noteCopyRows(module);
    OpPassManager pipeline("builtin.module");
    addHostLowering(pipeline);
    // Views with strides leave index arithmetic.
    OpPassManager arithmetic("builtin.module");
    arithmetic.addPass(createLowerAffinePass());
    if (failed(runPipeline(pipeline, module)) || failed(expandViews(module)) ||
        failed(runPipeline(arithmetic, module)) ||
        failed(emitDeviceImages(module)))
      return signalPassFailure();
    EqualConstants equal = findEqualConstants(module);
    std::vector<ProgramState> states = collectStates(module);
    noteStateUses(module, *entries);
    FailureOr<DeviceConstants> constants =
        collectDeviceConstants(module, *entries, equal);
    if (failed(constants) || failed(convertToLLVM(module)))
      return signalPassFailure();
    mergeConstants(module, equal);
    writeConstantsAsBytes(module);
    accessNarrowFloatsAsIntegers(module);
    hideFunctions(module);
    propagateStatus(module);
    emitDeviceConstants(module, *constants, *entries);
    emitStateTable(module, states, getResidents(*constants));
    if (failed(checkEntryPointNames(module, *entries)) ||
        failed(emitEntryPoints(module, *entries)))
      return signalPassFailure();
    emitUnload(module, *constants);
    OpPassManager cleanup("builtin.module");
    addCleanUp(cleanup);
    if (failed(runPipeline(cleanup, module)))
      return signalPassFailure();
    applyProcessors(module);
    dropPlacement(module);
    noteSharers(module, *entries);
    setPhase(module, Phase::LLVM);
    remarkSummary(module, getArgument(),
                  {{"entry-points", entries->size()},
                   {"binaries", countOperations<gpu::BinaryOp>},
                   {"merged-kernels", mergedKernels},
                   {"runtime-calls", countRuntimeCalls}});
  }
};
} // namespace
