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

/// Asks for where a map has the entry of a key.
template <typename Map>
void prefetchEntry(const Map &map, const typename Map::key_type &key) {
  using Entry = typename Map::value_type;
  if (size_t capacity = map.getMemorySize() / sizeof(Entry)) {
    size_t hash = llvm::DenseMapInfo<typename Map::key_type>::getHashValue(key);
    __builtin_prefetch(
        static_cast<const Entry *>(map.getPointerIntoBucketsArray()) +
            (hash & (capacity - 1)),
        /*rw=*/1);
  }
}

/// Loads the operations behind `i` and their bodies, each step following only
/// pointers that the one before has loaded.
inline void prefetchBodies(ArrayRef<Operation *> ops, size_t i) {
  constexpr size_t kOperations = 16, kBlocks = 10, kBodies = 5;
  if (i + kOperations < ops.size())
    prefetch(ops[i + kOperations]);
  if (i + kBlocks < ops.size())
    for (Region &region : ops[i + kBlocks]->getRegions())
      if (!region.empty())
        __builtin_prefetch(&region.front());
  if (i + kBodies < ops.size())
    for (Region &region : ops[i + kBodies]->getRegions())
      if (!region.empty() && !region.front().empty())
        prefetch(&region.front().front());
}

/// Loads the types of the operands of the operations behind `i` as well.
inline void prefetchTypes(ArrayRef<Operation *> ops, size_t i) {
  constexpr size_t kOperands = 10;
  prefetchBodies(ops, i);
  if (i + kOperands < ops.size())
    for (Value value : ops[i + kOperands]->getOperands())
      __builtin_prefetch(value.getAsOpaquePointer());
}

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_IR_PREFETCH_H
