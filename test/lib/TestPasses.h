//===- TestPasses.h - Passes and device kinds for tests only ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_LIB_TESTPASSES_H
#define HETERO_TEST_LIB_TESTPASSES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::hetero::test {

void registerTestPasses();
void registerTestKinds(DialectRegistry &registry);

} // namespace mlir::hetero::test

#endif // HETERO_TEST_LIB_TESTPASSES_H
