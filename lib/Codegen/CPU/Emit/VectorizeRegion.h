//===- VectorizeRegion.h - Makes loops over vectors of a region -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_EMIT_VECTORIZEREGION_H
#define HETERO_CODEGEN_CPU_EMIT_VECTORIZEREGION_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Replaces each linalg.generic by loops over vectors where that is profitable.
LogicalResult vectorizeCPURegion(Operation *root);

/// The same for a region whose operations have been tiled, and what that leaves
/// to fold.
LogicalResult vectorizePreparedRegion(ExecuteOp op);

/// Fails, and says that a region has no code.
LogicalResult reportNoHostCode(ExecuteOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_EMIT_VECTORIZEREGION_H
