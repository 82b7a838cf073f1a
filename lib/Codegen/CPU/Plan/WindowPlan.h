//===- WindowPlan.h - Windows that follow the vectors -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides the register tile of a pooling or a depthwise convolution of images
// whose channels are next to each other, and which borders of images it can do
// without. Changes no IR.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_WINDOWPLAN_H
#define HETERO_CODEGEN_CPU_PLAN_WINDOWPLAN_H

#include "VectorPlan.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::hetero {

/// A dimension of an input that a window goes along: the place that is read is
/// stride * step of the parallel loop + dilation * step of the reduction +
/// start.
struct WindowSide {
  unsigned dimension = 0;
  unsigned parallelLoop = 0, reductionLoop = 0;
  int64_t stride = 1, dilation = 1, start = 0;
};

/// What windows read of an image with borders.
struct Border {
  OpOperand *input = nullptr;
  tensor::PadOp pad;
  /// Where in the padded image the part begins that the operation reads.
  SmallVector<OpFoldResult> offsets;
  /// The sides along which there is a border.
  SmallVector<WindowSide> sides;
};

/// The sides of windows that `op` reads of an input.
SmallVector<WindowSide> getWindowSides(linalg::GenericOp op, OpOperand *input);

/// Gives the plan, which has a vector loop and nothing else yet, a register
/// tile of neighbouring windows if all that is reduced are windows across the
/// vectors.
bool planWindow(linalg::GenericOp op, const CPUTarget &target,
                VectorPlan &plan);

/// The border of an input that the plan can go without; none for others.
std::optional<Border> findBorder(linalg::GenericOp op, OpOperand *input,
                                 const VectorPlan &plan);

/// True if the elements that a border adds leave the results as they are.
bool isNeutral(linalg::GenericOp op, const Border &border);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_WINDOWPLAN_H
