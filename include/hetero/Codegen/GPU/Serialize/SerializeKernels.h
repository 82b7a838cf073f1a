//===- SerializeKernels.h - From gpu.module to PTX and cubin ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_SERIALIZE_SERIALIZEKERNELS_H
#define HETERO_CODEGEN_GPU_SERIALIZE_SERIALIZEKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::hetero {

/// Lowers the kernels of every gpu.module to the nvvm dialect. `run` runs the
/// passes on the module; a pass gives its own runPipeline, so that options like
/// --mlir-print-ir-after see them.
LogicalResult
lowerKernelsToNVVM(ModuleOp module,
                   llvm::function_ref<LogicalResult(OpPassManager &)> run);

/// Replaces every gpu.module by a gpu.binary with its PTX and, if `assembles`
/// and ptxas is found, its cubin.
LogicalResult serializeKernels(ModuleOp module, bool assembles);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_SERIALIZE_SERIALIZEKERNELS_H
