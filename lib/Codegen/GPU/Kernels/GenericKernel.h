//===- GenericKernel.h - The kernel of any operation ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_GENERICKERNEL_H
#define HETERO_CODEGEN_GPU_KERNELS_GENERICKERNEL_H

#include "KernelBuilder.h"

namespace mlir::hetero {

/// One thread per point of the parallel loops; reductions run in a thread.
void buildGenericKernel(KernelBuilder &kernel);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_GENERICKERNEL_H
