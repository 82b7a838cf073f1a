//===- LaneReduction.h - Reductions across a warp ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_LANEREDUCTION_H
#define HETERO_CODEGEN_GPU_KERNELS_LANEREDUCTION_H

#include "mlir/IR/Builders.h"

namespace mlir::hetero {

/// The combiner's operation on other values, so that NaN and signed zeros are
/// what they are in its body.
Value combineValues(OpBuilder &builder, Operation *combiner, Value a, Value b);

/// Combines the values of groups of `lanes` lanes, a power of two; every lane
/// gets the result of its group. All lanes of the warp must get here.
Value reduceLanes(OpBuilder &builder, Location loc, Operation *combiner,
                  Value value, int64_t lanes);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_LANEREDUCTION_H
