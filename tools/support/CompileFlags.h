//===- CompileFlags.h - Compile options as flags ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TOOLS_SUPPORT_COMPILEFLAGS_H
#define HETERO_TOOLS_SUPPORT_COMPILEFLAGS_H

#include "hetero/Compiler/CompileOptions.h"
#include "llvm/Support/CommandLine.h"

#include <memory>
#include <vector>

namespace mlir {
class PassManager;

namespace hetero {

/// A flag of the command line for each compile option that a tool leaves to its
/// user, and MLIR's own flags of the context and of pass managers. Make it
/// before the command line is parsed; what that says is in `options` then.
class CompileFlags {
public:
  explicit CompileFlags(CompileOptions &options);

private:
  template <typename T, typename Parser>
  void add(mlir::detail::PassOptions::Option<T, Parser> &option);

  std::vector<std::unique_ptr<llvm::cl::Option>> flags;
};

/// Prints "TOOL: error: MESSAGE" and returns the exit status for it.
int reportError(llvm::StringRef tool, const llvm::Twine &message);

} // namespace hetero
} // namespace mlir

#endif // HETERO_TOOLS_SUPPORT_COMPILEFLAGS_H
