//===- VariantKernels.cpp - One kernel for all variants of a function -----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that is there for several processors launches the same kernels in
// each. Those of the original stay; the launches of its variants, in the same
// order, are of them where the kernels are equal:
//
//   func.func @f()      { gpu.launch_func @hetero_kernels::@f_gpu0_0_add }
//   func.func @f_avx2() { gpu.launch_func @hetero_kernels::@f_gpu0_0_add_0 }
//
//===----------------------------------------------------------------------===//

#include "VariantKernels.h"

#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::hetero;

/// True if the kernels differ in their names at most.
static bool areEqual(gpu::GPUFuncOp first, gpu::GPUFuncOp second) {
  auto withoutName = [](gpu::GPUFuncOp kernel) {
    NamedAttrList attributes(kernel->getAttrDictionary());
    attributes.erase(SymbolTable::getSymbolAttrName());
    return attributes.getDictionary(kernel.getContext());
  };
  return withoutName(first) == withoutName(second) &&
         OperationEquivalence::isRegionEquivalentTo(
             &first.getBody(), &second.getBody(),
             OperationEquivalence::IgnoreLocations);
}

static SmallVector<gpu::LaunchFuncOp> getLaunches(func::FuncOp function) {
  SmallVector<gpu::LaunchFuncOp> launches;
  function.walk([&](gpu::LaunchFuncOp op) { launches.push_back(op); });
  return launches;
}

int64_t mlir::hetero::mergeVariantKernels(ModuleOp module) {
  llvm::StringMap<SmallVector<gpu::LaunchFuncOp>> originals;
  SymbolTableCollection symbols;
  auto lookup = [&](gpu::LaunchFuncOp launch) {
    return symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        module, launch.getKernelAttr());
  };
  int64_t merged = 0;
  for (auto variant : llvm::to_vector(module.getOps<func::FuncOp>())) {
    auto name = variant->getAttrOfType<StringAttr>(kVariantOfAttrName);
    auto original = name ? dyn_cast_or_null<func::FuncOp>(
                               symbols.lookupSymbolIn(module, name))
                         : func::FuncOp();
    if (!original)
      continue;
    auto [launches, isNew] = originals.try_emplace(name.getValue());
    if (isNew)
      launches->second = getLaunches(original);
    for (auto [kept, launch] :
         llvm::zip(launches->second, getLaunches(variant))) {
      gpu::GPUFuncOp first = lookup(kept), second = lookup(launch);
      if (!first || !second || first == second || !areEqual(first, second))
        continue;
      launch.setKernelAttr(kept.getKernelAttr());
      symbols.getSymbolTable(second->getParentOp()).erase(second);
      ++merged;
    }
  }
  return merged;
}
