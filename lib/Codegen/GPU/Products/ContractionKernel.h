//===- ContractionKernel.h - Products through shared memory -----*- C++ -*-===//
//-*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PRODUCTS_CONTRACTIONKERNEL_H
#define HETERO_CODEGEN_GPU_PRODUCTS_CONTRACTIONKERNEL_H

#include "Codegen/GPU/Kernels/KernelBuilder.h"

namespace mlir::hetero {

/// True for a product of matrices that fills tiles in shared memory.
bool isTiledContraction(linalg::LinalgOp op);
void buildContractionKernel(KernelBuilder &kernel);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PRODUCTS_CONTRACTIONKERNEL_H
