//===- ChainKernel.h - Operations on rows as one kernel ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_CHAINKERNEL_H
#define HETERO_CODEGEN_GPU_KERNELS_CHAINKERNEL_H

#include "Codegen/GPU/Plan/RowChain.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::hetero {

/// One kernel for a chain, at the place of its last operation. Erases the
/// operations, and buffers that nothing needs any longer.
LogicalResult buildChainKernel(gpu::GPUModuleOp kernels, RowChain &chain);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_CHAINKERNEL_H
