//===- ProductKernels.h - The kernels of a planned product ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PRODUCTS_PRODUCTKERNELS_H
#define HETERO_CODEGEN_GPU_PRODUCTS_PRODUCTKERNELS_H

#include "Codegen/GPU/Plan/FuseKernels.h"
#include "Codegen/GPU/Plan/WarpGroupPlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::hetero {

/// Builds the kernels of the product and what stands around it. Erases that.
LogicalResult buildProduct(gpu::GPUModuleOp kernels, linalg::LinalgOp product,
                           const TensorCorePlan &plan,
                           const ProductFusion &fusion);

/// Builds the kernel for warpgroups as well, and lets the host choose that
/// where the operands turn out to be tensors when the program runs.
LogicalResult buildProduct(gpu::GPUModuleOp kernels, linalg::LinalgOp product,
                           const WarpGroupPlan &plan,
                           const ProductFusion &fusion);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PRODUCTS_PRODUCTKERNELS_H
