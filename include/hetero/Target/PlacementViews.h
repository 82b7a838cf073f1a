//===- PlacementViews.h - Translations that show placements -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A placed module, or one with copies, for a person to look at. Both change the
// module on the way and fail with an error if it is in another phase.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_PLACEMENTVIEWS_H
#define HETERO_TARGET_PLACEMENTVIEWS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Prints a graph for Graphviz.
LogicalResult printPlacementAsDot(ModuleOp module, llvm::raw_ostream &os);
/// Prints a web page that needs no other file.
LogicalResult printPlacementAsHtml(ModuleOp module, llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_TARGET_PLACEMENTVIEWS_H
