//===- PlanArenas.h - Buffers at fixed offsets of arenas --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-plan-memory: what is allocated and freed within a function, of
// a static size, gets its place in one allocation per function and device.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_PLANARENAS_H
#define HETERO_TRANSFORMS_SCHEDULE_PLANARENAS_H

#include "MemoryNeeds.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// What one function needs of one device.
struct ArenaSummary {
  /// Of the function.
  Location loc;
  DeviceAttr device;
  /// Buffers that got a place.
  int64_t buffers = 0;
  /// Size of the arena, and the most bytes that live at once.
  int64_t bytes = 0, liveBytes = 0;
};

/// Puts buffers into arenas. An error where a device of the topology has less
/// memory than the arenas of one function and all resident constants need.
FailureOr<SmallVector<ArenaSummary>> planArenas(ModuleOp module);

/// What each function that is defined needs of devices for values. Buffers are
/// freed.
SmallVector<FunctionMemory, 0> measureMemory(ModuleOp module);

/// True if it would not fail, and if no functions that call each other need
/// more than there is together. Buffers are freed.
bool fitsArenas(ModuleOp module);

/// True if all buffers and constants fit on their devices at once.
bool fitsWithoutReuse(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_PLANARENAS_H
