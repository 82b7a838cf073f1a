//===- BuildKernels.h - Kernels from linalg on buffers ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_BUILDKERNELS_H
#define HETERO_CODEGEN_GPU_BUILDKERNELS_H

#include "hetero/Codegen/GPU/Plan/Chip.h"

namespace mlir::hetero {

/// Replaces every linalg operation on device memory by a launch of a kernel for
/// the chip of its device; there is a gpu.module for each chip. Several
/// operations may share a kernel. Factors of f32 may be rounded to tf32 where
/// an attribute says so; where none does, if `allowTF32`.
LogicalResult buildKernels(ModuleOp module, const Chips &chips, bool allowTF32);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_BUILDKERNELS_H
