//===- Schedule.h - Schedules that are only looked at -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_SCHEDULE_H
#define HETERO_TRANSFORMS_SCHEDULE_SCHEDULE_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Schedules a bufferized module as hetero-schedule does where memory is the
/// shortest: nothing runs ahead, and copies run beside kernels only if they
/// overlap.
void scheduleLeanly(ModuleOp module, bool overlapsCopies);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_SCHEDULE_H
