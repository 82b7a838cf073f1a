//===- TestRegistry.h - All dialects for a test -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_TESTREGISTRY_H
#define HETERO_TEST_UNIT_TESTREGISTRY_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::hetero::test {

/// The dialects and extensions of upstream and of this project, made once.
const DialectRegistry &getTestRegistry();

} // namespace mlir::hetero::test

#endif // HETERO_TEST_UNIT_TESTREGISTRY_H
