//===- WarpGroupPlan.h - How warpgroups multiply ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products whose operands the device can bring to shared memory by itself, in
// boxes of tensors: an operand is one tensor of up to five dimensions, its
// depth, its lines (rows of the left one, columns of the right one) and the
// batch.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_WARPGROUPPLAN_H
#define HETERO_CODEGEN_GPU_PLAN_WARPGROUPPLAN_H

#include "TensorCorePlan.h"

namespace mlir::hetero {

/// The only chip with wgmma.
inline constexpr StringLiteral kWarpGroupChip = "sm_90a";

/// A block's rows, what two warpgroups compute, and the depth of a stage.
inline constexpr int64_t kGroupTileRows = 128, kGroupTileDepth = 64;

/// An operand as a tensor: loops, each of which stands for its dimension, the
/// inner one first.
struct TensorDims {
  SmallVector<unsigned> loops;
  SmallVector<OpFoldResult> sizes;
  /// In bytes, from the second dimension on.
  SmallVector<OpFoldResult> strides;
};

struct WarpGroupPlan {
  TensorCorePlan product;
  /// Columns of a block: 128 or 256.
  int64_t tileColumns = 128;
  /// Batch loops of more than one iteration.
  SmallVector<unsigned> batch;
};

/// The plan for a product; none if its operands can never be boxes of tensors,
/// or if it is too small for blocks of this size.
std::optional<WarpGroupPlan> planWarpGroups(linalg::LinalgOp op,
                                            const TensorCorePlan &product);

/// The operand's dimensions, on the host.
TensorDims getTensorDims(OpBuilder &host, linalg::LinalgOp op,
                         const WarpGroupPlan &plan,
                         const TensorCoreOperand &side);

/// Whether both operands can be boxes of tensors, a host value of type i1:
/// addresses and strides are multiples of 16 bytes and there are elements.
Value createTensorCheck(OpBuilder &host, linalg::LinalgOp op,
                        const WarpGroupPlan &plan);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_WARPGROUPPLAN_H
