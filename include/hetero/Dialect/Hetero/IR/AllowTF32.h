//===- AllowTF32.h - The permission to round to tf32 ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_DIALECT_HETERO_IR_ALLOWTF32_H
#define HETERO_DIALECT_HETERO_IR_ALLOWTF32_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
}

namespace mlir::hetero {

/// What the innermost attribute around `op` says; without one, `otherwise`.
bool allowsTF32(Operation *op, bool otherwise = false);

/// Writes what holds for each operation inside of `root`, as far as attributes
/// inside of it say it, on the products in the bodies: rewrites of structured
/// operations keep what is in a body, and drop attributes of their own.
void pushTF32ToBodies(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_DIALECT_HETERO_IR_ALLOWTF32_H
