//===- Repeated.h - Operations made again by cost ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Placement marks what is made again on each device that needs it although it
// has operands, which then have to be there as well. Materialization does that
// and removes the mark.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_REPEATED_H
#define HETERO_DIALECT_HETERO_IR_REPEATED_H

#include "mlir/IR/Operation.h"

namespace mlir::hetero {

/// (C1) A unit attribute (C2) on an operation whose results are ranked tensors
/// (C3) and that has no side effects.
inline constexpr llvm::StringLiteral kRepeatedAttrName = "hetero.repeated";
/// The origin of what has it.
inline constexpr llvm::StringLiteral kRepeatedOrigin =
    "cost: repetition is cheaper than copies";

inline bool isRepeated(Operation *op) {
  return op->getDiscardableAttrDictionary().contains(kRepeatedAttrName);
}

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_REPEATED_H
