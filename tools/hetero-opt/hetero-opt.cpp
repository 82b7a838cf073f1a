//===- hetero-opt.cpp - mlir-opt with this project ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeteroOpt.h"

int main(int argc, char **argv) {
  return mlir::hetero::runHeteroOpt(argc, argv, [](mlir::DialectRegistry &) {});
}
