//===- hetero-opt-test-passes.cpp - hetero-opt with test passes -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../tools/hetero-opt/HeteroOpt.h"
#include "TestPasses.h"

int main(int argc, char **argv) {
  return mlir::hetero::runHeteroOpt(
      argc, argv, [](mlir::DialectRegistry &registry) {
        mlir::hetero::test::registerTestPasses();
        mlir::hetero::test::registerTestKinds(registry);
      });
}
