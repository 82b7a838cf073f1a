//===- ProgramVariant.h - A program compiled once more ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_TUNING_PROGRAMVARIANT_H
#define HETERO_COMPILER_TUNING_PROGRAMVARIANT_H

#include "hetero/Compiler/Compilation.h"

#include <optional>
#include <string>

namespace mlir::hetero {

/// The source of a compilation, compiled with options of its own, in a context
/// of its own. What is said meanwhile is kept instead of printed.
class ProgramVariant {
public:
  /// Begins with these options.
  ProgramVariant(const CompileOptions &options, const CompilationHost &host);

  /// Takes a copy of the module, which may be in another context.
  bool parse(ModuleOp source);

  Compilation &getCompilation() { return *compilation; }
  /// Errors, warnings and remarks so far.
  const std::string &getMessages() const { return messages; }
  void dropMessages() { messages.clear(); }

  CompileOptions options;

private:
  std::string messages;
  llvm::raw_string_ostream errors;
  std::optional<Compilation> compilation;
};

} // namespace mlir::hetero

#endif // HETERO_COMPILER_TUNING_PROGRAMVARIANT_H
