//===- VectorizeRegion.h - Makes loops over vectors of a region -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_VECTORIZEREGION_H
#define HETERO_CODEGEN_CPU_EMIT_VECTORIZEREGION_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Replaces each linalg.generic by loops over vectors where that is profitable.
LogicalResult vectorizeCPURegion(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_VECTORIZEREGION_H
