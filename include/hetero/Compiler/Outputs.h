//===- Outputs.h - Writes what a compilation made ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_OUTPUTS_H
#define HETERO_COMPILER_OUTPUTS_H

#include "hetero/Compiler/Compilation.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir {
namespace hetero {

enum class OutputKind { SharedLibrary, Object, LLVMIR, PTX, Cubin, Executable };

/// The kind that the suffix of a file says, unless `name` does. Empty with a
/// text in `error` if neither does.
std::optional<OutputKind> chooseOutputKind(llvm::StringRef file,
                                           llvm::StringRef name,
                                           std::string &error);

/// True for code of devices only.
inline bool isDeviceCode(OutputKind kind) {
  return kind == OutputKind::PTX || kind == OutputKind::Cubin;
}

struct OutputOptions {
  OutputKind kind = OutputKind::SharedLibrary;
  /// "-": standard output.
  std::string file;
  /// Named in the header and in errors.
  std::string model;
  /// C header; empty: beside a library or an object, else none.
  std::string header;
  /// Where libhetero_runtime and libHeteroRunner are now.
  std::string libraryFolder;
  /// Where a library or an executable looks for libhetero_runtime; empty: where
  /// it is now.
  std::string runtimePath;
  /// Of the nodes whose programs a library or an executable has: how many gpus.
  std::vector<int32_t> numGPUs = {0};
  /// Kept in a library or an executable; see NodeEntries.
  std::string note;
};

/// Writes a compilation that was lowered, of several nodes for the first, with
/// all files or none. Errors go
/// where those of the compilation go; `images` gets the files of device code,
/// one per image.
LogicalResult writeOutput(Compilation &compilation,
                          const OutputOptions &options,
                          std::vector<std::string> &images);

} // namespace hetero
} // namespace mlir

#endif // HETERO_COMPILER_OUTPUTS_H
