//===- RegionSchedules.h - Regions that schedules compile -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_PASSES_REGIONSCHEDULES_H
#define HETERO_CODEGEN_PASSES_REGIONSCHEDULES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::hetero {

/// Begins the `codegen` of a device whose regions a schedule compiles.
inline constexpr llvm::StringLiteral kScheduleCodegen = "schedule:";

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

#endif // HETERO_CODEGEN_PASSES_REGIONSCHEDULES_H
