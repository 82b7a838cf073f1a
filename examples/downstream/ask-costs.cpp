//===- ask-costs.cpp - Asks what operations cost --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass of its own that decides nothing: for each operation it prints how long
// the operation takes on each device of the module's machine, in picoseconds,
// by the numbers that --hetero-place goes by.
//
//===----------------------------------------------------------------------===//

#include "hetero/Analysis/Placement/MachineCosts.h"
#include "hetero/InitAll.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {
struct AskCosts : public PassWrapper<AskCosts, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AskCosts)

  void runOnOperation() override {
    const auto &costs = getAnalysis<hetero::MachineCosts>();
    const hetero::Topology &machine = costs.getTopology();
    getOperation().walk([&](Operation *op) {
      hetero::PlacementCost work = costs.getWork(op);
      if (work.flops == 0 && work.bytes == 0)
        return;
      llvm::outs() << op->getName() << ":";
      for (unsigned i = 0; i < machine.size(); ++i)
        if (auto time = costs.getTime(op, machine.getDevice(i)))
          llvm::outs() << " " << machine.getDevice(i).str() << " "
                       << time->picoseconds;
      llvm::outs() << "\n";
    });
    markAllAnalysesPreserved();
  }
};
} // namespace

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
  PassManager manager(&context);
  manager.addPass(std::make_unique<AskCosts>());
  return !module || failed(manager.run(*module));
}
