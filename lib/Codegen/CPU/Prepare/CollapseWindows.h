//===- CollapseWindows.h - Loops along the rows of windows ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_COLLAPSEWINDOWS_H
#define HETERO_CODEGEN_CPU_PREPARE_COLLAPSEWINDOWS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Makes one loop of those along a row of a window and over the channels, where
/// the channels of an image are next to each other.
LogicalResult collapseWindows(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_COLLAPSEWINDOWS_H
