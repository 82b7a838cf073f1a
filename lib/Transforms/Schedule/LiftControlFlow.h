//===- LiftControlFlow.h - Structures blocks --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The deallocation of buffers follows ownership through structured loops, and
// through blocks only where these form no loop.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_SCHEDULE_LIFTCONTROLFLOW_H
#define HETERO_TRANSFORMS_SCHEDULE_LIFTCONTROLFLOW_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Structures the control flow of every region whose blocks form a loop or end
/// in a switch.
LogicalResult liftControlFlow(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_SCHEDULE_LIFTCONTROLFLOW_H
