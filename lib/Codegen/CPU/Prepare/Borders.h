//===- Borders.h - Borders of images without memory -------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PREPARE_BORDERS_H
#define HETERO_CODEGEN_CPU_PREPARE_BORDERS_H

#include "hetero/Codegen/CPU/Target/CPUTarget.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace tensor {
class InsertSliceOp;
class PadOp;
} // namespace tensor
} // namespace mlir

namespace mlir::hetero {

/// True for a pad that windows read without its being in memory.
bool hasMarkedBorder(Operation *op);

/// Gives each operation that can do without the border of an input a marked pad
/// of its own.
void markBorders(RewriterBase &rewriter, Operation *root,
                 const CPUTarget &target);

/// Puts marked pads where tiles read them.
void sinkBorders(RewriterBase &rewriter, Operation *root);

/// Removes marked pads after vectorization.
LogicalResult dropBorders(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PREPARE_BORDERS_H
