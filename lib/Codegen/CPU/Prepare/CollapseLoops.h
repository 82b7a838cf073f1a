//===- CollapseLoops.h - Loops that all operands follow alike ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_COLLAPSELOOPS_H
#define HETERO_CODEGEN_CPU_PREPARE_COLLAPSELOOPS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Makes one loop of those of contractions that all operands follow alike, and
/// of the operations around them.
LogicalResult collapseLoops(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_COLLAPSELOOPS_H
