//===- DecomposePad.h - tensor.pad as a fill and an insertion ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_FRONTENDS_DECOMPOSEPAD_H
#define HETERO_TRANSFORMS_FRONTENDS_DECOMPOSEPAD_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class RewriterBase;
namespace tensor {
class PadOp;
} // namespace tensor
} // namespace mlir

namespace mlir::hetero {

/// Turns a pad into a fill, or an operation like it, and an insertion.
void decomposePad(RewriterBase &rewriter, tensor::PadOp op);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_FRONTENDS_DECOMPOSEPAD_H
