//===- ResolveConflicts.h - Values wanted on several devices ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A conflict is a value whose own device nobody pinned and whose pinned users
// stand on several devices.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_RESOLVECONFLICTS_H
#define HETERO_TRANSFORMS_PLACEMENT_RESOLVECONFLICTS_H

#include "hetero/Analysis/Machine/Topology.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// What becomes of conflicts.
enum class ConflictMode {
  /// The value is made once and copied.
  Copy,
  /// Pure operations are repeated, one for each device; private functions take
  /// the argument once per device. Other values are copied.
  Replicate,
  /// Each is an error.
  Error
};

/// Repeats what makes the values of conflicts: pure operations without regions
/// that hold others, once per device of a pinned user, and arguments of private
/// functions. Their own operands are not looked at. Returns how many were
/// added.
unsigned replicateConflicts(ModuleOp module, const Topology &topology);

/// Reports every conflict with its uses; fails if there is one.
LogicalResult rejectConflicts(ModuleOp module, const Topology &topology);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_RESOLVECONFLICTS_H
