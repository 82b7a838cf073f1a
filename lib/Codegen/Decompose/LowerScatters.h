//===- LowerScatters.h - tensor.scatter as loops ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_DECOMPOSE_LOWERSCATTERS_H
#define HETERO_CODEGEN_DECOMPOSE_LOWERSCATTERS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Turns the scatters in `root` into loops over what they insert.
void lowerScatters(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_DECOMPOSE_LOWERSCATTERS_H
