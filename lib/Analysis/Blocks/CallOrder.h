//===- CallOrder.h - Functions, callers before callees ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_BLOCKS_CALLORDER_H
#define HETERO_ANALYSIS_BLOCKS_CALLORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::hetero {

/// The numbers of functions, callers before those that they call but for
/// recursion: the reverse post-order of a depth-first search that begins at
/// each of `starts`, which name every function once. `getCallee(f, n)` is what
/// call n of function f calls, or none after the last one.
llvm::SmallVector<unsigned> orderByCalls(
    llvm::ArrayRef<unsigned> starts,
    llvm::function_ref<std::optional<unsigned>(unsigned, unsigned)> getCallee);

/// By function, for an order that orderByCalls returned: the number of the set
/// of functions that call each other, and which call themselves, directly or
/// not.
struct CallCycles {
  llvm::SmallVector<unsigned> sets;
  llvm::SmallVector<bool> isRecursive;
};
CallCycles findCallCycles(
    llvm::ArrayRef<unsigned> order,
    llvm::function_ref<std::optional<unsigned>(unsigned, unsigned)> getCallee);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_BLOCKS_CALLORDER_H
