//===- hetero-run.cpp - Compiles a model and runs it ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeteroRun.h"

int main(int argc, char **argv) {
  return mlir::hetero::runHeteroRun(argc, argv, [](mlir::DialectRegistry &) {});
}
