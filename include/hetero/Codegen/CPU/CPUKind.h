//===- CPUKind.h - The host and devices like it -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_CPUKIND_H
#define HETERO_CODEGEN_CPU_CPUKIND_H

namespace mlir {
class DialectRegistry;

namespace hetero {

/// Registers the kind `cpu` when the dialect is loaded.
void registerCPUKind(DialectRegistry &registry);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CODEGEN_CPU_CPUKIND_H
