//===- Header.h - C header of a program -------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_COMPILER_HEADER_H
#define HETERO_LIB_COMPILER_HEADER_H

#include "hetero/Compiler/EntryPoints.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::hetero {

/// Prints a C header that declares the entry points. `source` is named in it,
/// `guard` makes its guard.
void writeHeader(llvm::raw_ostream &os, llvm::StringRef source,
                 llvm::StringRef guard, llvm::ArrayRef<NodeEntries> nodes);

} // namespace mlir::hetero

#endif // HETERO_LIB_COMPILER_HEADER_H
