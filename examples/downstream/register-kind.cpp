//===- register-kind.cpp - Registers a device kind of its own -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds the kind `scaler`, which multiplies f32 elements and nothing else, and
// runs a pipeline of this project's on a module that may name its devices.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "hetero/InitAll.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {
class ScalerKind : public hetero::DeviceKind {
public:
  ScalerKind() : DeviceKind("scaler") {
    capabilities.hasElementType = [](Type type) { return type.isF32(); };
    capabilities.hasScalarOp = [](Operation &op) {
      return isa<arith::MulFOp>(op);
    };
    capabilities.hasTensorOp = hetero::isNoWork;
    capabilities.hasReductions = false;
  }

  // Capability: what is missing stands in warnings, errors and origins.
  LogicalResult canRun(Operation *op, std::string &reason) const override {
    return hetero::checkCapabilities(op, getName(), capabilities, reason);
  }

  // Cost: a multiplication takes a nanosecond, whatever the topology says.
  std::optional<int64_t> getTime(Operation *, hetero::PlacementCost cost,
                                 hetero::DeviceSpecAttr spec) const override {
    return spec.getLaunch() + 1000 * cost.flops;
  }

  // Pipeline: what runs on its regions before the backend's code generation.
  void buildPipeline(OpPassManager &manager) const override {
    manager.addPass(createLinalgGeneralizeNamedOpsPass());
  }

private:
  hetero::KernelCapabilities capabilities;
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: " << argv[0] << " MODEL.mlir PIPELINE\n";
    return 1;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  hetero::registerAllDialects(registry);
  hetero::registerAllPasses();
  hetero::registerDeviceKind<ScalerKind>(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  PassManager manager(&context);
  if (!module || failed(parsePassPipeline(argv[2], manager)) ||
      failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
