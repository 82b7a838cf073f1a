//===- JsonView.h - Placements as JSON --------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_JSONVIEW_H
#define HETERO_TARGET_JSONVIEW_H

#include "hetero/Target/NodeTimes.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Prints an object: "summary" (the cost), "devices", "operations" (function,
/// op, name in the source, location, device, origin, explanation, seconds of
/// one execution in the cost model) and "copies" (function, value, from, to,
/// bytes where the shape is static, seconds). The module is a placed one, or
/// one with copies; it is changed on the way. An error if it is in another
/// phase.
LogicalResult printPlacementAsJson(ModuleOp module, llvm::raw_ostream &os);
/// The same with what a call took: "measured_seconds" of operations, and
/// "measured" (device, nodes, seconds), which has undivided what several share.
/// The profile is the option that the module was placed with.
LogicalResult printMeasuredPlacementAsJson(ModuleOp module, StringRef profile,
                                           ArrayRef<NodeTime> times,
                                           llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_TARGET_JSONVIEW_H
