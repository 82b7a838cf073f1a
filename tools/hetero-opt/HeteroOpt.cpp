//===- HeteroOpt.cpp - The command hetero-opt -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeteroOpt.h"

#include "../support/OptionNames.h"
#include "PinGuard.h"
#include "hetero/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Upstream's main, with a guard of annotations around its passes.
static LogicalResult runGuarded(llvm::StringRef input, llvm::StringRef output,
                                DialectRegistry &registry,
                                const MlirOptMainConfig &given) {
  MlirOptMainConfig config = given;
  config.setPassPipelineSetupFn([given](PassManager &manager) {
    manager.addInstrumentation(std::make_unique<hetero::PinGuard>());
    return given.setupPassPipeline(manager);
  });
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> source = openInputFile(input, &error);
  std::unique_ptr<llvm::ToolOutputFile> result;
  if (source)
    result = openOutputFile(output, &error);
  if (!result) {
    llvm::errs() << error << "\n";
    return failure();
  }
  if (failed(MlirOptMain(result->os(), std::move(source), registry, config)))
    return failure();
  result->keep();
  return success();
}

int mlir::hetero::runHeteroOpt(int argc, char **argv,
                               void (*registerMore)(DialectRegistry &)) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  hetero::registerAllDialects(registry);
  mlir::registerAllPasses();
  hetero::registerAllPasses();
  registerMore(registry);
  std::string header =
      registerCLIOptions("hetero optimizer driver\n", registry);
  if (!checkOptionNames(argc, argv))
    return EXIT_FAILURE;
  auto [input, output] = parseCLIOptions(argc, argv, header);
  if (!checkNesting(argv[0], input.c_str()))
    return EXIT_FAILURE;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // Who leaves out checks wants no other either.
  bool isGuarded = config.shouldVerifyPasses() && !config.shouldListPasses() &&
                   !config.shouldShowDialects();
  return asMainReturnCode(
      isGuarded ? runGuarded(input, output, registry, config)
                : MlirOptMain(argc, argv, input, output, registry));
}
