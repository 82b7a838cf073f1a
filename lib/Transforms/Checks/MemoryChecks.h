//===- MemoryChecks.h - Sizes of memory -------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_TRANSFORMS_CHECKS_MEMORYCHECKS_H
#define HETERO_LIB_TRANSFORMS_CHECKS_MEMORYCHECKS_H

#include "mlir/IR/Operation.h"

namespace mlir::hetero {

class SizeAssertions;

/// Asserts that what an operation of memref makes of memory, or copies, is
/// there.
void checkMemory(SizeAssertions &checks, Operation *op);

} // namespace mlir::hetero

#endif // HETERO_LIB_TRANSFORMS_CHECKS_MEMORYCHECKS_H
