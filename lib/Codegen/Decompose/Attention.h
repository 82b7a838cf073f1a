//===- Attention.h - Attention as products and a softmax --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_DECOMPOSE_ATTENTION_H
#define HETERO_CODEGEN_DECOMPOSE_ATTENTION_H

#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace mlir::hetero {

/// Turns attention into two products and a softmax.
void lowerAttention(RewriterBase &rewriter, tm_tensor::AttentionOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_DECOMPOSE_ATTENTION_H
