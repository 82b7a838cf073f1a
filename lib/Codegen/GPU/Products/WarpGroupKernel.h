//===- WarpGroupKernel.h - Products of tiles by warpgroups ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PRODUCTS_WARPGROUPKERNEL_H
#define HETERO_CODEGEN_GPU_PRODUCTS_WARPGROUPKERNEL_H

#include "Codegen/GPU/Kernels/KernelBuilder.h"
#include "Codegen/GPU/Plan/WarpGroupPlan.h"

namespace mlir::hetero {

/// The kernel of the product; see buildTensorCoreKernel.
void buildWarpGroupKernel(KernelBuilder &kernel, const WarpGroupPlan &plan,
                          Value filler, linalg::LinalgOp epilogue);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PRODUCTS_WARPGROUPKERNEL_H
