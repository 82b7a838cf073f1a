//===- WidenOnce.h - Elements that are converted once ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_WIDENONCE_H
#define HETERO_CODEGEN_CPU_PREPARE_WIDENONCE_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// What a sum of products of f16 broadcasts is converted to f32 before it, once
/// and in vectors.
LogicalResult widenOnce(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_WIDENONCE_H
