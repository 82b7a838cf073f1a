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

/// A module with the table of the first node's entry points, as
/// kEntryTableSymbol, if there are several nodes with that of all, as
/// kNodeTableSymbol, and with a main() that takes a command line and runs one
/// of them if `hasMain`. `hash` is that of the program of all nodes.
std::unique_ptr<llvm::Module> buildEntryTable(llvm::LLVMContext &context,
                                              llvm::ArrayRef<NodeEntries> nodes,
                                              uint64_t hash, bool hasMain);

} // namespace mlir::hetero

#endif // HETERO_LIB_COMPILER_ENTRYTABLEMODULE_H
