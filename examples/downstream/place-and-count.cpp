//===- place-and-count.cpp - Nests the passes in a pipeline of its own ----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a module, runs passes of this project among upstream's in a PassManager
// of its own, and prints how many copies there are between which devices.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/InitAll.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: " << argv[0] << " MODEL.mlir\n";
    return 1;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  hetero::registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  PassManager pm(&context);
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addPass(hetero::createPlacePass());
  pm.addPass(hetero::createMaterializeCopiesPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addPass(hetero::createOptimizeCopiesPass());
  pm.addPass(hetero::createVerifyPass());
  if (failed(pm.run(*module)))
    return 1;

  std::map<std::string, unsigned> copies;
  module->walk([&](hetero::CopyOp copy) {
    std::string link;
    llvm::raw_string_ostream(link)
        << copy.getSourceDevice() << " -> " << copy.getResultDevice();
    ++copies[link];
  });
  for (const auto &[link, count] : copies)
    llvm::outs() << count << " x " << link << "\n";
  return 0;
}
