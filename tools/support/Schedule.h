//===- Schedule.h - Runs a schedule of the transform dialect ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TOOLS_SUPPORT_SCHEDULE_H
#define HETERO_TOOLS_SUPPORT_SCHEDULE_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace hetero {

/// Runs `@__transform_main` of the file on the module, or where no file is
/// given that of the module, if it has one. Afterwards the module holds no
/// schedule.
LogicalResult applySchedule(ModuleOp module, llvm::StringRef path);

} // namespace hetero
} // namespace mlir

#endif // HETERO_TOOLS_SUPPORT_SCHEDULE_H
