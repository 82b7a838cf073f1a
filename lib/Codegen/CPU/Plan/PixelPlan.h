//===- PixelPlan.h - Convolutions with filters along vectors ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a convolution by constant filters that are along the vectors, all pixels
// of an image share panels of filters, and not those of one of its rows alone.
// Decides how many of which rows are in the register tile, and whether tiles
// are of pixels or of filters. Changes no IR.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_PLAN_PIXELPLAN_H
#define HETERO_CODEGEN_CPU_PLAN_PIXELPLAN_H

#include "VectorPlan.h"
#include "WindowPlan.h"

namespace mlir::hetero {

/// Lets the plan, which has panels of a constant and no inner loop, have all
/// rows of pixels go through a panel before the next, and chooses the register
/// tile again.
void planPixels(linalg::GenericOp op, const CPUTarget &target,
                VectorPlan &plan);

/// True if the steps of windows of pixels that are in the border may be left
/// out, and which these are is known.
bool canPixelsSkip(linalg::GenericOp op, const Border &border,
                   const VectorPlan &plan);

/// True if tiles should be of a part of the vectors first, so that each reads
/// its panels once: all of them do not stay in the second-level cache, and take
/// more than what the rows read.
bool hasTilesOfVectors(linalg::GenericOp op, const VectorPlan &plan);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_PLAN_PIXELPLAN_H
