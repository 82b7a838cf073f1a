//===- PageData.h - What the page of a placement shows ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_PAGEDATA_H
#define HETERO_TARGET_PAGEDATA_H

#include "hetero/Target/HtmlView.h"

namespace mlir::hetero {

/// Prints a placed module as the JSON that docs/Visualizer.md describes, fit
/// for a script element.
LogicalResult printPageData(ModuleOp module, const PageContents &contents,
                            llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_TARGET_PAGEDATA_H
