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

/// What becomes of what annotations leave open: on which device a value is made
/// that placed operations need on several, and on which an operation runs that
/// annotations further away pull to several.
enum class ConflictMode {
  /// Cost decides; a value is made once and copied.
  Copy,
  /// Cost decides; what makes a value is repeated: pure operations, one for
  /// each
  /// device, and private functions take the argument once per device. Other
  /// values are copied.
  Replicate,
  /// As Copy, and each is a warning.
  Warn,
  /// Each is an error.
  Error
};

/// Does with every conflict what the mode asks for: reports it with its uses,
/// or repeats what makes the value. The operands of what is repeated are not
/// looked at. Returns how many operations and arguments were added; fails if a
/// conflict is an error.
FailureOr<unsigned> resolveConflicts(ModuleOp module, const Topology &topology,
                                     ConflictMode mode);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_RESOLVECONFLICTS_H
