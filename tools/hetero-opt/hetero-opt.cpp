//===- hetero-opt.cpp - mlir-opt with this project ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../support/OptionNames.h"
#include "hetero/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#ifdef HETERO_HAS_TEST_PASSES
#include "../../test/lib/TestPasses.h"
#endif

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::hetero::registerAllDialects(registry);
  mlir::registerAllPasses();
  mlir::hetero::registerAllPasses();
#ifdef HETERO_HAS_TEST_PASSES
  mlir::hetero::test::registerTestPasses();
  mlir::hetero::test::registerTestKinds(registry);
#endif
  std::string header =
      mlir::registerCLIOptions("hetero optimizer driver\n", registry);
  if (!mlir::hetero::checkOptionNames(argc, argv))
    return EXIT_FAILURE;
  auto [input, output] = mlir::parseCLIOptions(argc, argv, header);
  if (!mlir::hetero::checkNesting(argv[0], input.c_str()))
    return EXIT_FAILURE;
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, input, output, registry));
}
