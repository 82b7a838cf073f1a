//===- MoveChannelsLast.h - Images with channels last -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_LAYOUT_MOVECHANNELSLAST_H
#define HETERO_CODEGEN_CPU_LAYOUT_MOVECHANNELSLAST_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// Puts the channels of images last where convolutions and what is around them
/// are faster for it, transpositions included.
LogicalResult moveChannelsLast(Operation *root);

/// The same without costs: `choose` is true for channels last, and asked once
/// for each operation on images, twice for a convolution. Whatever it says,
/// results are the same.
void moveChannelsAnywhere(Operation *root, llvm::function_ref<bool()> choose);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_LAYOUT_MOVECHANNELSLAST_H
