//===- MergeKernels.h - Equal kernels are one -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_SERIALIZE_MERGEKERNELS_H
#define HETERO_CODEGEN_GPU_SERIALIZE_MERGEKERNELS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Makes equal kernels of a module one, and several modules of many kernels.
/// Returns how many kernels are gone.
int64_t mergeEqualKernels(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_SERIALIZE_MERGEKERNELS_H
