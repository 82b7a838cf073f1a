//===- EntryTableModule.h - The table of entry points as LLVM IR *- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_COMPILER_ENTRYTABLEMODULE_H
#define HETERO_LIB_COMPILER_ENTRYTABLEMODULE_H

#include "hetero/Compiler/EntryPoints.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace mlir::hetero {

/// A module with the table of a program's entry points, as kEntryTableSymbol,
/// and with a main() that takes a command line and runs one of them if
/// `hasMain`; the program has a table of state if `hasState`.
std::unique_ptr<llvm::Module>
buildEntryTable(llvm::LLVMContext &context, llvm::ArrayRef<EntryPoint> entries,
                bool hasMain, bool hasState);

} // namespace mlir::hetero

#endif // HETERO_LIB_COMPILER_ENTRYTABLEMODULE_H
