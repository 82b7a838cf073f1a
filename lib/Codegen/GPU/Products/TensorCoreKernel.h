//===- TensorCoreKernel.h - Products of tiles by tensor cores ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PRODUCTS_TENSORCOREKERNEL_H
#define HETERO_CODEGEN_GPU_PRODUCTS_TENSORCOREKERNEL_H

#include "Codegen/GPU/Kernels/KernelBuilder.h"
#include "Codegen/GPU/Plan/TensorCorePlan.h"

namespace mlir::hetero {

/// A planned sum of products, for sm_80 and up. `filler`, if there is one,
/// stands for all old values of the result, and `epilogue` works on the new
/// ones; both are part of the kernel already.
void buildTensorCoreKernel(KernelBuilder &kernel, const TensorCorePlan &plan,
                           Value filler, linalg::LinalgOp epilogue);

/// The same, where blocks share reductions: stores their sums in `workspace`, a
/// pointer to elements (split, batch, row, column). Keeps the operation.
void buildPartsKernel(KernelBuilder &kernel, const TensorCorePlan &plan,
                      Value workspace);

/// The elements of a row of the workspace.
int64_t getPartPitch(int64_t columns);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PRODUCTS_TENSORCOREKERNEL_H
