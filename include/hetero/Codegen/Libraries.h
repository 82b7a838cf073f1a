//===- Libraries.h - Libraries as code generators ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_LIBRARIES_H
#define HETERO_CODEGEN_LIBRARIES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir {
class DialectRegistry;

namespace hetero {

/// Name of the BLAS, as `codegen` and the runtime know it.
inline constexpr llvm::StringLiteral kOpenBLAS = "openblas";

/// Code generation for a cpu region whose products are calls of a BLAS where
/// there is one when the program runs, and generated code where there is none.
LogicalResult generateBLASRegion(ExecuteOp op);

/// Registers the code generators of this folder by name.
void registerLibraryGenerators(DialectRegistry &registry);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CODEGEN_LIBRARIES_H
