//===- Schedule.cpp - Runs a schedule of the transform dialect ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::hetero;
using transform::TransformDialect;
using transform::TransformOpInterface;

/// The sequence of that name; null for none.
static TransformOpInterface findMain(ModuleOp module) {
  if (!module->hasAttr(TransformDialect::kWithNamedSequenceAttrName))
    return {};
  return dyn_cast_or_null<TransformOpInterface>(SymbolTable::lookupSymbolIn(
      module, TransformDialect::kTransformEntryPointSymbolName));
}

static FailureOr<OwningOpRef<ModuleOp>> loadSchedule(MLIRContext *context,
                                                     llvm::StringRef path) {
  OwningOpRef<ModuleOp> library;
  Location loc = UnknownLoc::get(context);
  if (!llvm::sys::fs::exists(path) || llvm::sys::fs::is_directory(path))
    return emitError(loc) << "cannot read the schedule '" << path
                          << "'; name a file of the transform dialect";
  if (failed(transform::detail::parseTransformModuleFromFile(context, path,
                                                             library)))
    return failure();
  if (findMain(*library))
    return library;
  return emitError(library->getLoc())
         << "expected a module with transform.with_named_sequence and a "
            "transform.named_sequence @"
         << TransformDialect::kTransformEntryPointSymbolName
         << "; name the sequence that is to run so";
}

/// Schedules are no part of the program that is compiled.
static void eraseSchedules(ModuleOp module) {
  module->removeAttr(TransformDialect::kWithNamedSequenceAttrName);
  for (auto sequence :
       llvm::make_early_inc_range(module.getOps<transform::NamedSequenceOp>()))
    sequence.erase();
}

LogicalResult mlir::hetero::applySchedule(ModuleOp module,
                                          llvm::StringRef path) {
  OwningOpRef<ModuleOp> library;
  if (!path.empty()) {
    auto loaded = loadSchedule(module.getContext(), path);
    if (failed(loaded))
      return failure();
    library = std::move(*loaded);
  }
  TransformOpInterface main = findMain(library ? *library : module);
  if (main && failed(transform::applyTransformNamedSequence(
                  module, main, /*transformModule=*/ModuleOp(),
                  transform::TransformOptions())))
    return failure();
  eraseSchedules(module);
  return success();
}
