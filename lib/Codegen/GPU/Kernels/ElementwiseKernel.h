//===- ElementwiseKernel.h - 16 bytes at a time -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_ELEMENTWISEKERNEL_H
#define HETERO_CODEGEN_GPU_KERNELS_ELEMENTWISEKERNEL_H

#include "KernelBuilder.h"

namespace mlir::hetero {

/// Elementwise work on so many elements that 16 bytes at a time pay.
bool isVectorElementwise(linalg::LinalgOp op);
void buildElementwiseKernel(KernelBuilder &kernel);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_ELEMENTWISEKERNEL_H
