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

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::hetero {

/// The sequence of the module that runs; null if it has none.
transform::TransformOpInterface findScheduleMain(ModuleOp module);

/// Reads a schedule. An error about the file itself is emitted at `loc`.
LogicalResult loadSchedule(llvm::StringRef file, Location loc,
                           OwningOpRef<ModuleOp> &schedule);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_SCHEDULEFILE_H
