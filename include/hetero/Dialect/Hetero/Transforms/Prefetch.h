//===- Prefetch.h - Loads operations before they are needed -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_TRANSFORMS_PREFETCH_H
#define HETERO_DIALECT_HETERO_TRANSFORMS_PREFETCH_H

#include "mlir/IR/Operation.h"

namespace mlir {
namespace hetero {

/// Asks for the memory of an operation itself: its attributes and operands are
/// behind it.
inline void prefetch(Operation *op) {
  constexpr size_t kLine = 64, kLines = 4;
  for (size_t line = 0; line < kLines; ++line)
    __builtin_prefetch(reinterpret_cast<char *>(op) + line * kLine);
}

/// Loads what placing the operands of the operations behind `i` reads: in a
/// large module that comes from far apart, and waiting for it would take most
/// of the time. Each step follows the pointers that the one before has loaded.
inline void prefetchOperands(ArrayRef<Operation *> ops, size_t i) {
  constexpr size_t kOperations = 24, kOperands = 12, kProducers = 6;
  if (i + kOperations < ops.size())
    prefetch(ops[i + kOperations]);
  if (i + kOperands < ops.size())
    for (OpOperand &operand : ops[i + kOperands]->getOpOperands()) {
      // Setting the operand takes it out of the list of the value's uses.
      __builtin_prefetch(operand.getNextOperandUsingThisValue());
      __builtin_prefetch(operand.get().getAsOpaquePointer());
    }
  if (i + kProducers >= ops.size())
    return;
  for (Value value : ops[i + kProducers]->getOperands())
    if (Operation *producer = value.getDefiningOp()) {
      // A copy comes between its source's producer and what is behind that.
      prefetch(producer);
      __builtin_prefetch(producer->getNextNode());
    }
}

} // namespace hetero
} // namespace mlir

#endif // HETERO_DIALECT_HETERO_TRANSFORMS_PREFETCH_H
