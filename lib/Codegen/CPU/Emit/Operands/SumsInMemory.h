//===- SumsInMemory.h - Sums between blocks ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_OPERANDS_SUMSINMEMORY_H
#define HETERO_CODEGEN_CPU_EMIT_OPERANDS_SUMSINMEMORY_H

#include "Codegen/CPU/Emit/Loops/BlockedSums.h"

namespace mlir::hetero {

/// The sums of blocks that no register holds until the next block.
class SumsInMemory {
public:
  SumsInMemory(LoopNest &nest, BlockedSums &sums) : nest(nest), sums(sums) {}

  /// For each of the results one tensor of what it is between blocks, for all
  /// iterations of `loops`, the last of which the vectors are along.
  Values create(Values results, ArrayRef<unsigned> loops);
  /// Values are cell by cell, the results of each in order.
  Values load(Values tensors, ArrayRef<Cell> cells);
  Values store(Values values, Values tensors, ArrayRef<Cell> cells);

private:
  Values getPlace(const Cell &cell);

  LoopNest &nest;
  BlockedSums &sums;
  SmallVector<unsigned> loops;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_OPERANDS_SUMSINMEMORY_H
