//===- LoopBlocks.h - Loops in blocks, and what is left ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_LOOPS_LOOPBLOCKS_H
#define HETERO_CODEGEN_CPU_EMIT_LOOPS_LOOPBLOCKS_H

#include "BlockedSums.h"

namespace mlir::hetero {

/// The vector loop in up to three parts: blocks of several vectors, the vectors
/// that are left, together where their number is known, and the ragged end.
/// Where it is the loop of sums, they may be added up in blocks.
Values
emitVectorBlocks(LoopNest &nest, Values carried,
                 llvm::function_ref<Values(Values, const TileShape &)> body,
                 BlockedSums *sums = nullptr);

/// Widths of these blocks of a vector loop of a known size without a scalar
/// end.
SmallVector<int64_t> getBlockWidths(const VectorPlan &plan, int64_t size);

/// The row loop from `first` to `end` in blocks of as many rows as the register
/// tile has, then what is left. Once if there is no row loop.
Values emitRowBlocks(LoopNest &nest, Values carried, OpFoldResult first,
                     OpFoldResult end,
                     llvm::function_ref<Values(Values, int64_t)> body);

/// The inner loop in blocks, then what is left.
Values emitInnerBlocks(LoopNest &nest, Values carried,
                       llvm::function_ref<Values(Values, int64_t)> body);

/// The outermost reduction loop, or its steps from `from`, which is a multiple
/// of those of a pass, to `end`, in blocks of the steps of one pass. The body
/// has the first step and their number.
Values emitPassBlocks(LoopNest &nest, Values carried,
                      llvm::function_ref<Values(Value, Values, int64_t)> body,
                      OpFoldResult from = {}, OpFoldResult end = {});

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_LOOPS_LOOPBLOCKS_H
