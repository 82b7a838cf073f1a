//===- CheckState.h - Where state may be used -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CHECKSTATE_H
#define HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CHECKSTATE_H

#include "hetero/Analysis/Machine/Topology.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::hetero {

/// An error for every annotated global that an operation uses which cannot run
/// on its device.
LogicalResult checkStates(ModuleOp module, const Topology &topology);
/// Points to the state that the operation uses, if it uses any.
void noteState(InFlightDiagnostic &error, Operation *op);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CHECKSTATE_H
