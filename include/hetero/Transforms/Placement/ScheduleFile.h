//===- ScheduleFile.h - Schedules in files ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is a module of the transform dialect with a sequence that runs on
// a program, or on the body of one region.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_SCHEDULEFILE_H
#define HETERO_TRANSFORMS_PLACEMENT_SCHEDULEFILE_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::hetero {

/// Begins the `codegen` of a device whose regions a schedule compiles.
inline constexpr llvm::StringLiteral kScheduleCodegen = "schedule:";

/// The sequence of the module that runs; null if it has none.
transform::TransformOpInterface findScheduleMain(ModuleOp module);

/// Reads a schedule. An error about the file itself is emitted at `loc`.
LogicalResult loadSchedule(llvm::StringRef file, Location loc,
                           OwningOpRef<ModuleOp> &schedule);

/// The schedules of regions, each file read once.
class RegionSchedules {
public:
  /// Runs the schedule that the region's device names on its body, as the
  /// function of runOnExecuteBody. The region is as it was where that fails.
  LogicalResult apply(ExecuteOp region);

private:
  llvm::StringMap<OwningOpRef<ModuleOp>> schedules;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_SCHEDULEFILE_H
