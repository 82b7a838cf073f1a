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

namespace mlir {
namespace hetero {

/// Asks for the memory of an operation itself: its first results are before it,
/// its attributes, regions and operands behind it.
inline void prefetch(Operation *op) {
  constexpr ptrdiff_t kLine = 64, kLines = 6;
  for (ptrdiff_t line = -1; line < kLines; ++line)
    __builtin_prefetch(reinterpret_cast<char *>(op) + line * kLine);
}

/// While an operation is worked on, asks for the next one of its block.
inline void prefetchNext(Operation *op) {
  if (Operation *next = op->getBlock() ? op->getNextNode() : nullptr)
    prefetch(next);
}

/// While the operations of a block are gone through, asks for one further on.
/// The list has to be followed one by one, but operations that were made one
/// after the other tend to be equally far apart in memory; a wrong guess costs
/// next to nothing.
inline void prefetchFurther(Operation *op) {
  constexpr ptrdiff_t kAhead = 8;
  auto *next = reinterpret_cast<char *>(op->getNextNode());
  if (next)
    __builtin_prefetch(next + kAhead * (next - reinterpret_cast<char *>(op)));
}

/// The same where copies come between: every second operation.
inline void prefetchEverySecond(Operation *op) {
  constexpr ptrdiff_t kAhead = 6;
  Operation *previous = op->getBlock() ? op->getPrevNode() : nullptr;
  previous = previous ? previous->getPrevNode() : nullptr;
  if (previous) {
    char *at = reinterpret_cast<char *>(op);
    ptrdiff_t step = at - reinterpret_cast<char *>(previous);
    __builtin_prefetch(at + kAhead * step);
  }
}

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

/// Asks for the first use of a value that is there itself.
inline void prefetchFirstUse(Value value) {
  if (!value.use_empty())
    __builtin_prefetch(&*value.use_begin());
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

/// Loads what placing the operands of the operations behind `i`, and those of
/// their bodies, reads: in a large module that comes from far apart, and
/// waiting for it would take most of the time. Each step follows only pointers
/// that the one before has loaded.
inline void prefetchOperands(ArrayRef<Operation *> ops, size_t i) {
  constexpr size_t kOperations = 32, kOperands = 24, kProducers = 16,
                   kNext = 10, kUses = 5;
  if (i + kOperations < ops.size())
    prefetch(ops[i + kOperations]);
  if (i + kOperands < ops.size()) {
    Operation *op = ops[i + kOperands];
    for (OpOperand &operand : op->getOpOperands()) {
      // Setting the operand takes it out of the list of the value's uses.
      __builtin_prefetch(operand.getNextOperandUsingThisValue());
      __builtin_prefetch(operand.get().getAsOpaquePointer());
    }
    for (Region &region : op->getRegions())
      if (!region.empty())
        __builtin_prefetch(&region.front());
  }
  if (i + kProducers < ops.size()) {
    Operation *op = ops[i + kProducers];
    for (Value value : op->getOperands()) {
      prefetchFirstUse(value);
      if (Operation *producer = value.getDefiningOp())
        prefetch(producer);
    }
    for (Region &region : op->getRegions())
      if (!region.empty() && !region.front().empty())
        prefetch(&region.front().front());
  }
  // A copy comes between its source's producer and what is behind that.
  if (i + kNext < ops.size())
    for (Value value : ops[i + kNext]->getOperands())
      if (Operation *producer = value.getDefiningOp())
        prefetchNext(producer);
  // The operand may join the uses of such a copy.
  if (i + kUses < ops.size())
    for (Value value : ops[i + kUses]->getOperands())
      if (Operation *producer = value.getDefiningOp())
        if (auto copy = dyn_cast_or_null<CopyOp>(producer->getNextNode()))
          prefetchFirstUse(copy.getResult());
}

/// Loads what the copies behind `i`, and the producers of their sources, say,
/// in such steps.
inline void prefetchSources(ArrayRef<CopyOp> copies, size_t i) {
  constexpr size_t kCopies = 24, kSources = 16, kProducers = 8;
  if (i + kCopies < copies.size())
    prefetch(copies[i + kCopies]);
  if (i + kSources < copies.size())
    __builtin_prefetch(
        copies[i + kSources]->getOperand(0).getAsOpaquePointer());
  if (i + kProducers < copies.size())
    if (Operation *producer =
            copies[i + kProducers]->getOperand(0).getDefiningOp())
      prefetch(producer);
}

/// Loads what the copies in front of `i`, which may be null, and their first
/// users say, in such steps.
inline void prefetchUsersBefore(ArrayRef<CopyOp> copies, size_t i) {
  constexpr size_t kCopies = 24, kUses = 16, kUsers = 8;
  auto getCopy = [&](size_t before) {
    return i >= before ? copies[i - before] : CopyOp();
  };
  if (CopyOp copy = getCopy(kCopies))
    prefetch(copy);
  if (CopyOp copy = getCopy(kUses))
    prefetchFirstUse(copy->getResult(0));
  if (CopyOp copy = getCopy(kUsers); copy && !copy->use_empty())
    __builtin_prefetch(copy->use_begin()->getOwner());
}

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_IR_PREFETCH_H
