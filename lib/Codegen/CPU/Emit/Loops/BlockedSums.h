//===- BlockedSums.h - Sums in blocks ---------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for k = 0 to 4096 carries sums : f64
//     for j = k to k + 16 carries block : f32 = -0.0
//       block += x[j]
//     sums += extend(block)
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_LOOPS_BLOCKEDSUMS_H
#define HETERO_CODEGEN_CPU_EMIT_LOOPS_BLOCKEDSUMS_H

#include "LoopNest.h"

namespace mlir::hetero {

/// Adds up long sums of f32 in blocks, as the plan says. Accumulators are cell
/// by cell, of each the results in order; what is carried after them is left
/// alone.
class BlockedSums {
public:
  explicit BlockedSums(LoopNest &nest);

  /// The type of an accumulator between blocks.
  Type getWideType(unsigned result, Type type) const;
  /// Accumulators as they are between blocks, and after the last one.
  Values widen(Values accumulators);
  Values narrow(Values accumulators);

  /// One block: what `body` adds.
  Values emitBlock(Values carried, llvm::function_ref<Values(Values)> body);
  /// A loop, in blocks if the plan says so.
  Values emitLoop(unsigned loop, OpFoldResult lower, OpFoldResult upper,
                  int64_t step, Values carried, LoopBodyFn body);

  /// True if the sums of blocks are those of the steps of `loop`.
  bool isBlocked(unsigned loop) const {
    return isActive && nest.plan.sums && nest.plan.sums->loop == loop;
  }
  /// Whether sums are added up by the loops that are emitted now.
  void setActive(bool value) { isActive = value; }

private:
  bool isWide(unsigned index, Type type) const;

  LoopNest &nest;
  /// For each result whether it is added up in blocks.
  SmallVector<bool> results;
  bool isActive = false;
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_LOOPS_BLOCKEDSUMS_H
