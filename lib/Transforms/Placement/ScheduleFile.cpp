//===- ScheduleFile.cpp - Schedules in files ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Placement/ScheduleFile.h"

#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Transforms/Regions/ExecuteBody.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::hetero;
using transform::TransformDialect;
using transform::TransformOpInterface;

TransformOpInterface mlir::hetero::findScheduleMain(ModuleOp module) {
  TransformOpInterface main;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto sequence = dyn_cast<transform::NamedSequenceOp>(op);
    if (sequence && !sequence.isExternal() &&
        sequence.getName() == TransformDialect::kTransformEntryPointSymbolName)
      main = cast<TransformOpInterface>(op);
    // Sequences stand in modules only.
    return main                ? WalkResult::interrupt()
           : isa<ModuleOp>(op) ? WalkResult::advance()
                               : WalkResult::skip();
  });
  return main;
}

LogicalResult mlir::hetero::loadSchedule(StringRef file, Location loc,
                                         OwningOpRef<ModuleOp> &schedule) {
  if (!llvm::sys::fs::exists(file) || llvm::sys::fs::is_directory(file))
    return emitError(loc) << "cannot read the schedule '" << file
                          << "'; name a file of the transform dialect";
  if (failed(transform::detail::parseTransformModuleFromFile(loc.getContext(),
                                                             file, schedule)))
    return failure();
  if (findScheduleMain(*schedule))
    return success();
  return emitError(schedule->getLoc())
         << "expected a module with transform.with_named_sequence and a "
            "transform.named_sequence @"
         << TransformDialect::kTransformEntryPointSymbolName
         << "; name the sequence that is to run so";
}

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
