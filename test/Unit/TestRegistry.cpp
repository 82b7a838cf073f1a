//===- TestRegistry.cpp - All dialects for a test -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestRegistry.h"

#include "hetero/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

const mlir::DialectRegistry &mlir::hetero::test::getTestRegistry() {
  static DialectRegistry *registry = [] {
    auto *result = new DialectRegistry();
    mlir::registerAllDialects(*result);
    mlir::registerAllExtensions(*result);
    mlir::hetero::registerAllDialects(*result);
    return result;
  }();
  return *registry;
}
