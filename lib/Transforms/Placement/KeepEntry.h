//===- KeepEntry.h - What one entry point needs of a module -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_KEEPENTRY_H
#define HETERO_TRANSFORMS_PLACEMENT_KEEPENTRY_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::hetero {

/// What these operations of a module without nested ones need, by any number of
/// symbols, and they themselves. Fails where an operation may use anything.
FailureOr<llvm::SetVector<Operation *>>
findReached(ModuleOp module, ArrayRef<Operation *> entries);

/// Removes the symbols of a module without nested ones that the public function
/// `entry` does not reach. What it calls stays as visible as it is. That there
/// is no such function is an error.
LogicalResult keepEntry(ModuleOp module, StringRef entry);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_KEEPENTRY_H
