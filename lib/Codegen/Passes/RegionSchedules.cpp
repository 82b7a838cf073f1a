//===- RegionSchedules.cpp - Regions that schedules compile ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionSchedules.h"

#include "hetero/Transforms/Placement/ScheduleFile.h"
#include "hetero/Transforms/Regions/ExecuteBody.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"

using namespace mlir;
using namespace mlir::hetero;

LogicalResult RegionSchedules::apply(ExecuteOp region) {
  StringRef file = region.getDevice().getCodegen();
  file.consume_front(kScheduleCodegen);
  if (region.getDevice().getKind() != kHostKind)
    return region.emitOpError("region \"")
           << region.getName() << "\" is on " << region.getDevice().str()
           << ", but schedules compile for the host only; place it on cpu:0 or "
              "leave codegen out";
  auto [it, isNew] = schedules.try_emplace(file);
  OwningOpRef<ModuleOp> &schedule = it->second;
  if (isNew && failed(loadSchedule(file, region.getLoc(), schedule)))
    return failure();
  // It failed before, and has been reported.
  if (!schedule)
    return failure();
  LogicalResult result = runOnExecuteBody(region, [&](func::FuncOp function) {
    return transform::applyTransformNamedSequence(
        function->getParentOfType<ModuleOp>(), findScheduleMain(*schedule),
        /*transformModule=*/ModuleOp(), transform::TransformOptions());
  });
  if (failed(result))
    return region.emitOpError("the schedule '")
           << file << "' failed on region \"" << region.getName()
           << "\"; correct it or leave codegen out of the device";
  return success();
}
