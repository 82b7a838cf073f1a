//===- LongSums.h - A thread's long sums ------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for i = first to end step 16 * step carries sum : f64
//     for j = i to min(i + 16 * step, end) step step carries block : f32 = -0.0
//       block += x[j]
//     sum += extend(block)
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_LONGSUMS_H
#define HETERO_CODEGEN_GPU_KERNELS_LONGSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// Adds up in blocks what a thread has many of: each block in f32, and their
/// sums in f64.
class LongSums {
public:
  using BodyFn = llvm::function_ref<SmallVector<Value>(Value, ArrayRef<Value>)>;

  /// `areSums`: for each accumulator whether it is a sum of f32.
  LongSums(OpBuilder &builder, Location loc, ArrayRef<bool> areSums)
      : builder(builder), loc(loc), areSums(areSums) {}

  bool hasAny() const { return llvm::is_contained(areSums, true); }

  /// Accumulators as they are between blocks, and after the last one.
  SmallVector<Value> widen(ArrayRef<Value> accumulators);
  SmallVector<Value> narrow(ArrayRef<Value> accumulators);

  /// Adds to wide accumulators what `body` makes of empty ones.
  SmallVector<Value>
  addBlock(ArrayRef<Value> accumulators,
           llvm::function_ref<SmallVector<Value>(ArrayRef<Value>)> body);
  /// A loop of index values in blocks of `steps` iterations.
  SmallVector<Value> addBlocks(Value first, Value end, int64_t step,
                               int64_t steps, ArrayRef<Value> accumulators,
                               BodyFn body);

private:
  OpBuilder &builder;
  Location loc;
  SmallVector<bool> areSums;
};

/// A loop of index values that carries what `body` makes of what it carries.
SmallVector<Value> createLoop(OpBuilder &builder, Location loc, Value first,
                              Value end, int64_t step, ArrayRef<Value> carried,
                              LongSums::BodyFn body);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_LONGSUMS_H
