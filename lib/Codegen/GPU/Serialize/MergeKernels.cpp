//===- MergeKernels.cpp - Compiles equal kernels once ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers of one shape have kernels that differ in their names only. The first
// of them is compiled, and the others' launches keep their names for reports
// and profiles:
//
//   gpu.launch_func @kernels::@main_gpu0_7_0_matmul ...
//     ->
//   gpu.launch_func @kernels::@main_gpu0_1_0_matmul ...
//       {hetero.label = "main_gpu0_7_0_matmul"}
//
// Many kernels are put into several modules, which threads compile, and of
// which a device loads those that it launches.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/GPU/Serialize/MergeKernels.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace mlir::hetero;

/// Kernels of one module.
static constexpr size_t kMostKernels = 32;

namespace {
/// The kernel that stands for another one, by its name in its module.
using Replacements = llvm::DenseMap<SymbolRefAttr, SymbolRefAttr>;
} // namespace

static SymbolRefAttr getSymbol(gpu::GPUModuleOp kernels,
                               gpu::GPUFuncOp kernel) {
  return SymbolRefAttr::get(kernels.getNameAttr(),
                            {FlatSymbolRefAttr::get(kernel.getNameAttr())});
}

/// What the kernel computes, whatever its name.
static std::string hashBody(gpu::GPUFuncOp kernel) {
  StringAttr name = kernel.getNameAttr();
  kernel.setName("kernel");
  std::string text;
  llvm::raw_string_ostream os(text);
  kernel.print(os, OpPrintingFlags().useLocalScope().printGenericOpForm());
  kernel.setName(name);
  auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  return std::string(hash.begin(), hash.end());
}

/// Erases each kernel that is equal to an earlier one of its module.
static void findEqual(gpu::GPUModuleOp kernels, Replacements &replacements) {
  llvm::StringMap<SymbolRefAttr> byBody;
  for (auto kernel :
       llvm::make_early_inc_range(kernels.getOps<gpu::GPUFuncOp>())) {
    if (!kernel.isKernel())
      continue;
    SymbolRefAttr symbol = getSymbol(kernels, kernel);
    auto [it, isNew] = byBody.try_emplace(hashBody(kernel), symbol);
    if (isNew)
      continue;
    replacements[symbol] = it->second;
    kernel.erase();
  }
}

/// Moves all but the first kernels of a large module to modules of their own.
/// One with anything but kernels, which these may share, stays whole.
static void split(gpu::GPUModuleOp kernels, SymbolTable &symbols,
                  Replacements &replacements) {
  if (!llvm::all_of(kernels.getBody()->getOperations(),
                    llvm::IsaPred<gpu::GPUFuncOp>))
    return;
  auto functions = llvm::to_vector(kernels.getOps<gpu::GPUFuncOp>());
  OpBuilder builder(kernels->getContext());
  builder.setInsertionPointAfter(kernels);
  gpu::GPUModuleOp part;
  for (size_t i = kMostKernels; i < functions.size(); ++i) {
    if (i % kMostKernels == 0) {
      builder.setInsertionPointAfter(part ? part : kernels);
      part = gpu::GPUModuleOp::create(builder, kernels.getLoc(),
                                      kernels.getName());
      part.setTargetsAttr(kernels.getTargetsAttr());
      symbols.insert(part);
    }
    SymbolRefAttr old = getSymbol(kernels, functions[i]);
    functions[i]->moveBefore(part.getBody(), part.getBody()->end());
    replacements[old] = getSymbol(part, functions[i]);
  }
}

/// Follows the replacements; a launch whose kernel has another name keeps its
/// own as a label.
static void replaceLaunches(ModuleOp module, const Replacements &merged,
                            const Replacements &moved) {
  module.walk([&](gpu::LaunchFuncOp launch) {
    SymbolRefAttr symbol = launch.getKernel(), kernel = symbol;
    for (const Replacements *replacements : {&merged, &moved})
      if (auto it = replacements->find(kernel); it != replacements->end())
        kernel = it->second;
    if (kernel == symbol)
      return;
    launch.setKernelAttr(kernel);
    if (kernel.getLeafReference() != symbol.getLeafReference())
      launch->setAttr(kLabelAttrName, symbol.getLeafReference());
  });
}

int64_t mlir::hetero::mergeEqualKernels(ModuleOp module) {
  Replacements merged, moved;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    findEqual(kernels, merged);
  SymbolTable symbols(module);
  for (auto kernels : llvm::to_vector(module.getOps<gpu::GPUModuleOp>()))
    split(kernels, symbols, moved);
  if (!merged.empty() || !moved.empty())
    replaceLaunches(module, merged, moved);
  return merged.size();
}
