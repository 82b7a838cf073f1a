//===- LayoutCosts.h - What orders of images cost ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_LAYOUT_LAYOUTCOSTS_H
#define HETERO_CODEGEN_CPU_LAYOUT_LAYOUTCOSTS_H

#include "hetero/Codegen/CPU/Target/CPUTarget.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::hetero {

/// Cycles of a convolution by the orders of what it reads and makes.
struct ConvolutionCycles {
  double plain, makesLast, readsLast, last;
};
ConvolutionCycles estimateConvolution(linalg::GenericOp op,
                                      const CPUTarget &target);

/// Cycles of an operation with windows of each channel on its own, such as a
/// pooling; 0 for one without.
double estimateWindows(linalg::GenericOp op, unsigned channelLoop, bool isLast,
                       const CPUTarget &target);

/// Cycles of what moves elements to or from a part of a tensor, as a pad.
double estimateCopy(Type type, bool isLast);

/// Cycles of a transposition.
double estimateTransposition(Type type);

/// The part of the lanes that do something in vectors along a loop of this
/// size: an end that is shorter than half a vector takes as long as half a one.
double getShareOfLanes(int64_t size, int64_t lanes);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_LAYOUT_LAYOUTCOSTS_H
