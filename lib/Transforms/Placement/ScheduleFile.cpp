//===- ScheduleFile.cpp - Schedules in files ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Placement/ScheduleFile.h"

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
