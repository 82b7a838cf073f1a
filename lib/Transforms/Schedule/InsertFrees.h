//===- InsertFrees.h - Frees every buffer once ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_INSERTFREES_H
#define HETERO_TRANSFORMS_SCHEDULE_INSERTFREES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class OpPassManager;
}

namespace mlir::hetero {

/// Frees every buffer; returns how many are freed earlier than at the end of
/// their block. The passes of others run through `run`.
FailureOr<int64_t>
insertFrees(ModuleOp module, function_ref<LogicalResult(OpPassManager &)> run);

/// The same, without errors.
LogicalResult insertFreesQuietly(ModuleOp module);

/// Frees the buffers of a scheduled module; true if planArenas would not fail
/// then.
bool fitsMemory(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_INSERTFREES_H
