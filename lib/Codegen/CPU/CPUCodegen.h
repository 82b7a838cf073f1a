//===- CPUCodegen.h - Code generation for the host --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_CPUCODEGEN_H
#define HETERO_CODEGEN_CPU_CPUCODEGEN_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir::hetero {

/// The steps before a region is vectorized, in their order. All of them keep
/// the body on tensors.
LogicalResult prepareCPURegion(Operation *root);

/// Code generation for the kind `cpu` (lib/Codegen/CPU). Regions of the host
/// are complete when its generateModule has run.
LogicalResult generateCPURegion(ExecuteOp op);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_CPUCODEGEN_H
