//===- LowerTMTensor.h - Lowers tm_tensor inside of regions -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_DECOMPOSE_LOWERTMTENSOR_H
#define HETERO_CODEGEN_DECOMPOSE_LOWERTMTENSOR_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {
/// Turns the operations of tm_tensor in `root` into linalg and loops.
void lowerTMTensor(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_DECOMPOSE_LOWERTMTENSOR_H
