//===- StreamPlan.h - What to keep and what to stream -----------*- C++ -*-===//
//-*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-stream-constants: what a device of limited memory keeps, and
// the slots through which the rest goes.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_STREAMING_STREAMPLAN_H
#define HETERO_TRANSFORMS_STREAMING_STREAMPLAN_H

#include "ConstantUses.h"
#include "Transforms/Schedule/MemoryNeeds.h"

namespace mlir::hetero {

/// A constant that a reader has in a slot.
struct StreamedRead {
  Operation *reader;
  unsigned constant, slot;
  /// False if the slot has it from a reader before.
  bool isCopied;
};

/// The slots of one function.
struct FunctionSlots {
  FunctionOpInterface function;
  /// In bytes.
  SmallVector<int64_t> sizes;
  SmallVector<StreamedRead, 0> reads;

  int64_t getBytes() const;
};

/// How many constants of an operation's kind fit into the slots at once: two
/// where one is copied while another is read.
enum class Buffering : unsigned { Single = 1, Double = 2 };

struct StreamPlan {
  /// By constant.
  SmallVector<bool, 0> isStreamed;
  /// By function.
  SmallVector<FunctionSlots, 0> functions;
  Buffering buffering = Buffering::Double;
  /// Picoseconds that the copies take in one run of the program.
  int64_t copyTime = 0;
  /// Bytes of the constants that stay, and of all memory that is needed.
  int64_t keptBytes = 0, neededBytes = 0;
};

/// The choice with the least time for copies that needs no more memory than
/// there is, two slots for each constant of an operation if that is possible;
/// none if nothing fits. For each size of slots that some constant has, what is
/// larger stays, and what else stays is an exact knapsack: bytes against the
/// time of the copies.
std::optional<StreamPlan> planStreams(const ConstantUses &uses,
                                      const FunctionNeeds &needs,
                                      int64_t capacity);

/// The least memory with which there is a plan: all that can be streamed is.
int64_t getLeastBytes(const ConstantUses &uses, const FunctionNeeds &needs);

/// The reader whose streamed constants need the most memory at once, and how
/// much; null if nothing can be streamed.
std::pair<Operation *, int64_t> findLargestReader(const ConstantUses &uses);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_STREAMING_STREAMPLAN_H
