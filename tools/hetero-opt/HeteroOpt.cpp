//===- HeteroOpt.cpp - The command hetero-opt -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeteroOpt.h"

#include "../support/OptionNames.h"
#include "hetero/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

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
  return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
}
