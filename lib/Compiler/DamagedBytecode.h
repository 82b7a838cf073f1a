//===- DamagedBytecode.h - Bytecode that cannot be read ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_COMPILER_DAMAGEDBYTECODE_H
#define HETERO_LIB_COMPILER_DAMAGEDBYTECODE_H

#include "mlir/IR/Dialect.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir::hetero {

/// True if the buffer is bytecode and MLIR's reader crashes at it, which the
/// process survives.
bool crashesReader(llvm::MemoryBufferRef buffer,
                   const DialectRegistry &registry);

} // namespace mlir::hetero

#endif // HETERO_LIB_COMPILER_DAMAGEDBYTECODE_H
