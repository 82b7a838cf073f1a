//===- Outputs.h - What hetero-compile writes besides objects ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_OUTPUTS_H
#define HETERO_COMPILER_OUTPUTS_H

#include "hetero/Compiler/EntryPoints.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
namespace hetero {

/// The symbol of an entry point in what is written: its name, but `main`, which
/// a program that links the object needs for itself, becomes `hetero_main`.
std::string getExportedName(llvm::StringRef entry);

/// Renames the entry points in `module` to their exported names.
void renameEntries(llvm::Module &module, llvm::ArrayRef<EntryPoint> entries);

/// Writes a C header that declares the entry points. `source` names the model.
void writeHeader(llvm::raw_ostream &os, llvm::StringRef source,
                 llvm::StringRef guard, llvm::ArrayRef<EntryPoint> entries);

/// Adds a table of the entry points and a `main` that hands it to the runner.
void addMain(llvm::Module &module, llvm::ArrayRef<EntryPoint> entries);

/// Links an object to a shared library or, with the runner, to an executable.
/// `toolPath` says where the project's libraries are, and `runtimePath` where
/// the program looks for the runtime; empty: where it is now. `libraries` are
/// the files with the functions that the program has elsewhere.
llvm::Error link(llvm::StringRef object, llvm::StringRef output,
                 llvm::StringRef toolPath, llvm::StringRef runtimePath,
                 llvm::ArrayRef<std::string> libraries, bool executable);

} // namespace hetero
} // namespace mlir

#endif // HETERO_COMPILER_OUTPUTS_H
