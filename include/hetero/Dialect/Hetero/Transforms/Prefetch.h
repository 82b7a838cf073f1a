//===- Prefetch.h - Loads operations before they are needed -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_PREFETCH_H
#define HETERO_DIALECT_HETERO_TRANSFORMS_PREFETCH_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir {
namespace hetero {

/// Asks for the memory of an operation itself: its attributes, regions and
/// operands are behind it.
inline void prefetch(Operation *op) {
  constexpr size_t kLine = 64, kLines = 6;
  for (size_t line = 0; line < kLines; ++line)
    __builtin_prefetch(reinterpret_cast<char *>(op) + line * kLine);
}

/// Loads what placing the operands of the operations behind `i`, and those of
/// their bodies, reads: in a large module that comes from far apart, and
/// waiting for it would take most of the time. Each step follows only pointers
/// that the one before has loaded.
inline void prefetchOperands(ArrayRef<Operation *> ops, size_t i) {
  constexpr size_t kOperations = 32, kOperands = 20, kProducers = 12, kNext = 6;
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
    for (Value value : op->getOperands())
      if (Operation *producer = value.getDefiningOp())
        prefetch(producer);
    for (Region &region : op->getRegions())
      if (!region.empty() && !region.front().empty())
        prefetch(&region.front().front());
  }
  // A copy comes between its source's producer and what is behind that.
  if (i + kNext < ops.size())
    for (Value value : ops[i + kNext]->getOperands())
      if (Operation *producer = value.getDefiningOp())
        if (Operation *next = producer->getNextNode())
          prefetch(next);
}

/// Loads what the copies behind `i`, which may be null, their sources, and the
/// first users of both say, in such steps.
inline void prefetchCopies(ArrayRef<CopyOp> copies, size_t i) {
  constexpr size_t kCopies = 24, kSources = 16, kUses = 10, kUsers = 5;
  auto getCopy = [&](size_t ahead) -> Operation * {
    return i + ahead < copies.size() ? copies[i + ahead] : CopyOp();
  };
  if (Operation *copy = getCopy(kCopies))
    prefetch(copy);
  if (Operation *copy = getCopy(kSources))
    __builtin_prefetch(copy->getOperand(0).getAsOpaquePointer());
  if (Operation *copy = getCopy(kUses)) {
    if (Operation *producer = copy->getOperand(0).getDefiningOp())
      prefetch(producer);
    for (Value value : {copy->getOperand(0), Value(copy->getResult(0))})
      if (!value.use_empty())
        __builtin_prefetch(&*value.use_begin());
  }
  if (Operation *copy = getCopy(kUsers))
    for (Value value : {copy->getOperand(0), Value(copy->getResult(0))})
      if (!value.use_empty()) {
        OpOperand &use = *value.use_begin();
        __builtin_prefetch(use.getOwner());
        __builtin_prefetch(use.getNextOperandUsingThisValue());
      }
}

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_PREFETCH_H
