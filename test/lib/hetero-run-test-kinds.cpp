//===- hetero-run-test-kinds.cpp - hetero-run with test kinds -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../tools/hetero-run/HeteroRun.h"
#include "TestPasses.h"

int main(int argc, char **argv) {
  return mlir::hetero::runHeteroRun(argc, argv,
                                    mlir::hetero::test::registerTestKinds);
}
