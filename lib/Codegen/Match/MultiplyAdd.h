//===- MultiplyAdd.h - Bodies that multiply and add -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_MATCH_MULTIPLYADD_H
#define HETERO_CODEGEN_MATCH_MULTIPLYADD_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// True if the body multiplies two elements and adds the product to a third,
/// each maybe extended to a wider floating-point type first.
bool multipliesAndAdds(linalg::GenericOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_MATCH_MULTIPLYADD_H
