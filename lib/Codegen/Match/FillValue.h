//===- FillValue.h - Operations that write one value ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_MATCH_FILLVALUE_H
#define HETERO_CODEGEN_MATCH_FILLVALUE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// The scalar that `op` writes to all elements of a result, on tensors or on
/// buffers; null if elements differ.
Value getFillValue(linalg::LinalgOp op, unsigned result);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_MATCH_FILLVALUE_H
