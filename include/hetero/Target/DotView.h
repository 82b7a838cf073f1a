//===- DotView.h - Placements for Graphviz ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_DOTVIEW_H
#define HETERO_TARGET_DOTVIEW_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Prints a graph for Graphviz.
/// The module is a placed one, or one with copies; it is changed on the way. An
/// error if it is in another phase.
LogicalResult printPlacementAsDot(ModuleOp module, llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_TARGET_DOTVIEW_H
