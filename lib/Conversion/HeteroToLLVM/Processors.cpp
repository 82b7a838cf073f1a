//===- Processors.cpp - Instructions of each function ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   llvm.func @f() attributes {hetero.processor = "avx2"}
//     ->
//   llvm.func @f() attributes {target_cpu = "x86-64-v3", target_features = ...}
//
//===----------------------------------------------------------------------===//

#include "Processors.h"

#include "hetero/Codegen/CPU/Target/Processor.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::hetero;

void mlir::hetero::applyProcessors(ModuleOp module) {
  MLIRContext *context = module.getContext();
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    const Processor *processor = getProcessor(function);
    if (!processor || function.isExternal())
      continue;
    function.setTargetCpu(processor->cpu);
    if (!processor->features.empty())
      function.setTargetFeaturesAttr(
          LLVM::TargetFeaturesAttr::get(context, processor->features));
    // Else LLVM splits vectors of 512 bits for the sake of older processors.
    function.setPreferVectorWidth(llvm::utostr(processor->vectorBits));
  }
}
