//===- KernelLimits.h - What a kernel may use -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_KERNELLIMITS_H
#define HETERO_CODEGEN_GPU_PLAN_KERNELLIMITS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::hetero {

/// The static shared memory of a block, and its threads.
inline constexpr int64_t kSharedBytes = 48 * 1024, kMostBlockThreads = 1024;

/// The registers of a multiprocessor.
inline constexpr int64_t kRegisters = 65536;

/// Threads per block, unless a kernel chooses another number.
inline constexpr int64_t kBlockSize = 256;

/// Threads per warp.
inline constexpr int64_t kWarpSize = 32;

/// The widest access of a thread.
inline constexpr int64_t kVectorBytes = 16;

/// Fails for a kernel that the assembler would refuse without naming an
/// operation.
LogicalResult checkKernelLimits(gpu::GPUModuleOp kernels, StringRef chip);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_KERNELLIMITS_H
