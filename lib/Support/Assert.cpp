//===- Assert.cpp - Invariants of the compiler and the emulator -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Assert.h"

#include <cstdio>
#include <cstdlib>

void mlir::hetero::failAssertion(const char *condition, const char *message,
                                 const char *file, int line) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s (%s)\n", file, line,
               message, condition);
  std::abort();
}
