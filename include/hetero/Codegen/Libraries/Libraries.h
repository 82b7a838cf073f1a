//===- Libraries.h - Libraries as code generators ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_LIBRARIES_LIBRARIES_H
#define HETERO_CODEGEN_LIBRARIES_LIBRARIES_H

#include "hetero/Codegen/Common/TargetRegistry.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

namespace mlir {
class DialectRegistry;

namespace hetero {

/// Names of libraries, as `codegen` and the runtime know them.
inline constexpr llvm::StringLiteral kOpenBLAS = "openblas";
inline constexpr llvm::StringLiteral kOneDNN = "onednn";

inline constexpr llvm::StringLiteral kCUBLAS = "cublas";
inline constexpr llvm::StringLiteral kCUDNN = "cudnn";

/// After the name of a library of devices, as in "cublas:tf32": f32 may be
/// rounded to tf32 before it is multiplied.
inline constexpr llvm::StringLiteral kMayRound = ":tf32";

/// As `codegen`: for each operation the fastest of generated code and the
/// libraries.
inline constexpr llvm::StringLiteral kAuto = "auto";

/// Code generation for a region of which a library computes what it can, or is
/// the fastest for, where there is one when the program runs. Everything
/// else is generated code.
LogicalResult generateLibraryRegion(ExecuteOp op, llvm::StringRef codegen);

/// Reports what the libraries compute, and how code for the rest is generated.
LogicalResult explainLibraryRegion(ExecuteOp op, llvm::StringRef codegen,
                                   CodegenReport report);

/// Registers the code generators of this folder by name.
void registerLibraryGenerators(DialectRegistry &registry);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CODEGEN_LIBRARIES_LIBRARIES_H
