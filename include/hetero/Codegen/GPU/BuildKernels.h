//===- BuildKernels.h - Kernels from linalg on buffers ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_BUILDKERNELS_H
#define HETERO_CODEGEN_GPU_BUILDKERNELS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Replaces every linalg operation on device memory by a launch of a kernel in
/// one gpu.module for the chip. Several operations may share a kernel. Factors
/// of f32 may be rounded to tf32 where an attribute says so; where none does,
/// if `allowTF32`.
LogicalResult buildKernels(ModuleOp module, StringRef chip, bool allowTF32);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_BUILDKERNELS_H
