//===- TileParallel.h - Tiles for threads -----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_TILEPARALLEL_H
#define HETERO_CODEGEN_CPU_PREPARE_TILEPARALLEL_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Tiles each group of operations that can share tiles with an `scf.forall`,
/// unless the group is too small to be worth a second thread.
LogicalResult tileCPURegion(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_TILEPARALLEL_H
