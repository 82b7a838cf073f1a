//===- Repeatable.h - Operations that are cheap to repeat -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is made again on every device that needs it, instead of copied.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_REPEATABLE_H
#define HETERO_DIALECT_HETERO_IR_REPEATABLE_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// True for constants and tensor.empty: they run nothing, so they never make a
/// region of their own.
bool isNoWork(Operation *op);
/// True if repeating the operation, with everything on tensors that it needs,
/// is cheaper than copying its results.
bool isRepeatable(Operation *op, unsigned depth = 0);

/// The origin of what could be made on each device, but is copied.
inline constexpr llvm::StringLiteral kMadeOnceOrigin =
    "cost: copies are cheaper than repetition";
/// True if placement found that copies cost less than repetition: it is made on
/// its device alone.
bool isMadeOnce(Operation *op);

/// The origin of what has `hetero.repeated`.
inline constexpr llvm::StringLiteral kRepeatedOrigin =
    "cost: repetition is cheaper than copies";
/// True if placement found that repetition costs less than copies.
inline bool isRepeated(Operation *op) {
  return op->getDiscardableAttrDictionary().contains(kRepeatedAttrName);
}

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_REPEATABLE_H
