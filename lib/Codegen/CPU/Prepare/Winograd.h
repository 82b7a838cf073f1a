//===- Winograd.h - Convolutions with fewer products ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_WINOGRAD_H
#define HETERO_CODEGEN_CPU_PREPARE_WINOGRAD_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Computes convolutions of a region whose device has `codegen = "winograd"`
/// with fewer products and more rounding, where that is faster by estimate.
LogicalResult applyWinograd(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_WINOGRAD_H
