//===- Program.h - A compiled program in this process -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_PROGRAM_H
#define HETERO_COMPILER_PROGRAM_H

#include "hetero/Compiler/Compilation.h"
#include "hetero/Compiler/EntryPoints.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <vector>

namespace llvm {
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace mlir {
namespace hetero {

/// An object file loaded into this process, with its entry points.
class Program {
public:
  /// Lowers a parsed compilation, generates code for it and loads that. Null
  /// after an error, which the compilation has reported.
  static std::unique_ptr<Program> compile(Compilation &compilation);
  /// Links `object` against this process, which holds the runtime.
  static llvm::Expected<std::unique_ptr<Program>>
  load(std::unique_ptr<llvm::MemoryBuffer> object, const NodeEntries &contents,
       int32_t node = 0);
  ~Program();

  const std::vector<HeteroProgramEntry> &getEntries() const {
    return table.get();
  }
  const HeteroStateTable &getStates() const { return states; }

private:
  explicit Program(llvm::ArrayRef<EntryPoint> entries);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  EntryTable table;
  HeteroStateTable states = {};
};

/// Makes a parsed compilation one for this process: loads the libraries of its
/// options, checks that what the program calls elsewhere is there, and sets the
/// machine to what the runtime finds. Errors are those of the compilation.
LogicalResult adaptToThisProcess(Compilation &compilation);

} // namespace hetero
} // namespace mlir

#endif // HETERO_COMPILER_PROGRAM_H
