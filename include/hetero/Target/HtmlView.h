//===- HtmlView.h - Placements as web pages ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_HTMLVIEW_H
#define HETERO_TARGET_HTMLVIEW_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Prints a web page that needs no other file. An error if the module is not
/// one after hetero-place.
LogicalResult printPlacementAsHtml(ModuleOp module, llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_TARGET_HTMLVIEW_H
