//===- ReductionKernel.h - Reductions by the threads of a block -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_REDUCTIONKERNEL_H
#define HETERO_CODEGEN_GPU_KERNELS_REDUCTIONKERNEL_H

#include "KernelBuilder.h"

namespace mlir::hetero {

/// A reduction that the threads of a block share.
bool isBlockReduction(linalg::LinalgOp op);
void buildReductionKernel(KernelBuilder &kernel);

/// One whose results are so few that several blocks share each of them. Builds
/// the kernel that reduces parts, and returns the operation that reduces these,
/// in place of `op`.
bool isSplitReduction(linalg::LinalgOp op);
FailureOr<linalg::LinalgOp> splitReduction(gpu::GPUModuleOp kernels,
                                           linalg::LinalgOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_REDUCTIONKERNEL_H
