//===- TransposedBlock.h - Loads blocks of a transpose ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_TRANSPOSEDBLOCK_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_TRANSPOSEDBLOCK_H

#include "Codegen/CPU/Emit/Loops/LoopNest.h"

namespace mlir::hetero {

/// True if an input without panels is scattered along the vectors and
/// contiguous along the rows, and the cell's row is one of a block that can be
/// transposed.
bool isInTransposedBlock(const LoopNest &nest, OpOperand *input,
                         const Cell &cell);

/// Loads the block of which `corner` has the first row: a vector for each row.
Values loadTransposedBlock(LoopNest &nest, OpOperand *input,
                           const Cell &corner);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_TRANSPOSEDBLOCK_H
