//===- Sort.h - Loops for tm_tensor.sort ------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_DECOMPOSE_SORT_H
#define HETERO_CODEGEN_DECOMPOSE_SORT_H

#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"

namespace mlir {
class RewriterBase;

namespace hetero::tm_tensor {

/// Turns the operation into loops over single elements.
void lowerSort(RewriterBase &rewriter, SortOp op);

} // namespace hetero::tm_tensor
} // namespace mlir

#endif // HETERO_CODEGEN_DECOMPOSE_SORT_H
