//===- Prefetch.h - Loads operations before they are needed -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_PREFETCH_H
#define HETERO_DIALECT_HETERO_IR_PREFETCH_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

#include <array>

namespace mlir {
namespace hetero {

/// Asks for the memory of an operation itself: its first results are before it,
/// its attributes, regions and operands behind it.
inline void prefetch(Operation *op) {
  constexpr ptrdiff_t kLine = 64, kLines = 6;
  for (ptrdiff_t line = -1; line < kLines; ++line)
    __builtin_prefetch(reinterpret_cast<char *>(op) + line * kLine);
}

/// Asks for what an operation says of itself, without operands and regions. It
/// may be a guess.
inline void prefetchHead(uintptr_t op) {
  constexpr uintptr_t kLine = 64;
  __builtin_prefetch(reinterpret_cast<const void *>(op));
  __builtin_prefetch(reinterpret_cast<const void *>(op + kLine));
}
inline void prefetchHead(Operation *op) {
  prefetchHead(reinterpret_cast<uintptr_t>(op));
}

/// Loads operations ahead of a walk. Their lists have to be followed one by
/// one, but operations that were made one after the other lie so in memory, and
/// have few sizes: those behind the next one, which is known, are where the
/// last two distances lead. A wrong guess costs next to nothing.
class StridePrefetcher {
public:
  void prefetch(Operation *op) {
    constexpr int kFirst = 2, kLast = 3;
    if (Operation *next = op->getBlock() ? op->getNextNode() : nullptr)
      prefetchHead(next);
    auto at = reinterpret_cast<uintptr_t>(op);
    uintptr_t stride = at - previous;
    previous = at;
    if (stride != strides[0])
      strides = {stride, strides[0]};
    for (int ahead = kFirst; ahead <= kLast; ++ahead)
      for (int others = 0; others <= ahead; ++others)
        prefetchHead(at + (ahead - others) * strides[0] + others * strides[1]);
  }

private:
  uintptr_t previous = 0;
  /// The last one, and the last other one; forwards or, modulo 2^64, backwards.
  std::array<uintptr_t, 2> strides = {0, 0};
};

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_IR_PREFETCH_H
