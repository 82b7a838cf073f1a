//===- RowShape.h - How threads share rows ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_ROWSHAPE_H
#define HETERO_CODEGEN_GPU_PLAN_ROWSHAPE_H

#include "RowChain.h"

namespace mlir::hetero {

struct RowShape {
  /// The threads of one row, a power of two.
  int64_t threads = 1;
  int64_t rowsPerBlock = 1;
  /// Elements per access, and accesses of a thread to an operand that are under
  /// way together.
  int64_t vector = 1, slots = 1;
  /// The threads hold a row at once, if it is no longer than all their elements
  /// together.
  bool isHeld = true;
};

RowShape chooseRowShape(RowChain &chain);

/// What is accessed in memory at every column, and by which member.
SmallVector<std::pair<unsigned, OpOperand *>> listFullAccesses(RowChain &chain);

/// Bytes of an element in memory.
int64_t getStoredBytes(Type memref);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_ROWSHAPE_H
