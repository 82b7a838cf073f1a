//===- RowKernel.h - The kernel of a chain of rows --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_ROWKERNEL_H
#define HETERO_CODEGEN_GPU_KERNELS_ROWKERNEL_H

#include "Codegen/GPU/Plan/RowChain.h"
#include "KernelBuilder.h"

namespace mlir::hetero {

/// Builds the kernel of a chain at its anchor, whose operands and those of the
/// other members it has.
void buildRowKernel(KernelBuilder &kernel, RowChain &chain);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_ROWKERNEL_H
