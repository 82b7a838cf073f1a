//===- Scatter.h - Loops for tm_tensor.scatter ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_DECOMPOSE_SCATTER_H
#define HETERO_CODEGEN_DECOMPOSE_SCATTER_H

#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"

namespace mlir {
class RewriterBase;

namespace hetero::tm_tensor {

/// Turns the operation into loops over single elements.
void lowerScatter(RewriterBase &rewriter, ScatterOp op);

} // namespace hetero::tm_tensor
} // namespace mlir

#endif // HETERO_CODEGEN_DECOMPOSE_SCATTER_H
