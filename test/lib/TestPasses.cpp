//===- TestPasses.cpp - Passes for tests only -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

namespace mlir::hetero::test {
void registerCPUCodegenTestPasses();
void registerTestCopiesPasses();
void registerTestGeneratePasses();
void registerTestPlacementPasses();

void registerTestPasses() {
  registerCPUCodegenTestPasses();
  registerTestCopiesPasses();
  registerTestGeneratePasses();
  registerTestPlacementPasses();
}
} // namespace mlir::hetero::test
