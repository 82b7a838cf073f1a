//===- GPUKind.h - GPUs that CUDA drives ------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_GPUKIND_H
#define HETERO_CODEGEN_GPU_GPUKIND_H

namespace mlir {
class DialectRegistry;

namespace hetero {

/// Registers the kind `gpu` when the dialect is loaded.
void registerGPUKind(DialectRegistry &registry);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CODEGEN_GPU_GPUKIND_H
