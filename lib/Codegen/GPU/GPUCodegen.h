//===- GPUCodegen.h - Code generation for the kind gpu ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_GPUCODEGEN_H
#define HETERO_CODEGEN_GPU_GPUCODEGEN_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// Rewrites the body of a region on tensors, so that each operation that is
/// left can be a kernel (BuildKernels.h).
LogicalResult generateGPURegion(ExecuteOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_GPUCODEGEN_H
