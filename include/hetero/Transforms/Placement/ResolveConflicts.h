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

/// True if something in the module says what becomes of its own conflicts.
bool hasConflictModes(ModuleOp module);

/// Does with every conflict what its mode asks for, which is `mode` where
/// nothing around the value says another: reports it with its uses, or repeats
/// what makes the value. The operands of what is repeated are not looked at.
/// Returns how many operations and arguments were added; fails if a conflict is
/// an error.
FailureOr<unsigned> resolveConflicts(ModuleOp module, const Topology &topology,
                                     ConflictMode mode);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_RESOLVECONFLICTS_H
