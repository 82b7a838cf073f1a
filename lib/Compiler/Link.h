//===- Link.h - Runs the system's linker ------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_COMPILER_LINK_H
#define HETERO_LIB_COMPILER_LINK_H

#include "hetero/Compiler/Outputs.h"
#include "llvm/Support/Error.h"

namespace mlir::hetero {

/// Links objects with the runtime and with `libraries` to a shared library, or
/// with the runner besides to an executable.
llvm::Error link(llvm::ArrayRef<std::string> objects, llvm::StringRef output,
                 const OutputOptions &options,
                 llvm::ArrayRef<std::string> libraries);

} // namespace mlir::hetero

#endif // HETERO_LIB_COMPILER_LINK_H
