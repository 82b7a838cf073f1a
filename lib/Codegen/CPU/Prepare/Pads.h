//===- Pads.h - Pads and the fills of borders -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_PADS_H
#define HETERO_CODEGEN_CPU_PREPARE_PADS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
class RewriterBase;
namespace tensor {
class InsertSliceOp;
class PadOp;
} // namespace tensor
} // namespace mlir

namespace mlir::hetero {

/// Makes a tensor.pad of a fill and an insertion, so that tiles can share it.
LogicalResult findPads(Operation *root);

/// Replaces each tensor.pad by fills of its borders.
LogicalResult expandPads(Operation *root);

/// The pad that an insertion into a fill is, after it; the sizes of what is
/// filled after the image need not be known. Null for other insertions.
tensor::PadOp createOpenPad(RewriterBase &rewriter, tensor::InsertSliceOp op);

/// Replaces a pad with a constant by fills of its borders and a copy, which is
/// returned; null for other pads, which stay.
linalg::GenericOp expandToCopy(RewriterBase &rewriter, tensor::PadOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_PADS_H
