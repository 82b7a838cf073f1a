//===- Knapsack.h - Which items to take ------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Items of some weight, of which those are taken that are worth the most and
// weigh no more than a capacity together: the knapsack problem, NP-hard (Garey
// and Johnson, problem MP9).
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_KNAPSACK_H
#define HETERO_SUPPORT_SOLVERS_KNAPSACK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::hetero {

/// Neither number is negative; sums of either stay below INT64_MAX.
struct KnapsackItem {
  int64_t weight, value;
};

struct KnapsackChoice {
  /// By item.
  llvm::SmallVector<bool, 0> taken;
  int64_t weight = 0, value = 0;
  /// No choice is worth more. That is the value unless the states were too
  /// many.
  int64_t bound = 0;
};

/// The choice of the greatest value. Of more than `maxStates` partial choices
/// at once those with the lowest bounds are dropped, and the bound says what
/// that may have cost. Without `maxStates` at most 65,536.
KnapsackChoice chooseItems(llvm::ArrayRef<KnapsackItem> items, int64_t capacity,
                           size_t maxStates = size_t(1) << 16);

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_KNAPSACK_H
