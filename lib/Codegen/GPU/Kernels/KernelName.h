//===- KernelName.h - What a kernel is called -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_KERNELS_KERNELNAME_H
#define HETERO_CODEGEN_GPU_KERNELS_KERNELNAME_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <string>

namespace mlir::hetero {

/// A name, unique in `module`, for the kernel of `op`: region, number, work. It
/// depends on the IR only and is an identifier of PTX. A fused epilogue's work
/// follows.
std::string getKernelName(gpu::GPUModuleOp module, linalg::LinalgOp op,
                          linalg::LinalgOp epilogue = nullptr);

/// The same for a kernel that computes several operations on rows.
std::string getRowKernelName(gpu::GPUModuleOp module,
                             ArrayRef<linalg::LinalgOp> ops);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_KERNELS_KERNELNAME_H
