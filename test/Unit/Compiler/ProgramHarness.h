//===- ProgramHarness.h - Compiles and runs in this process -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_COMPILER_PROGRAMHARNESS_H
#define HETERO_TEST_UNIT_COMPILER_PROGRAMHARNESS_H

#include "RandomProgram.h"
#include "hetero/Compiler/Program.h"

#include <memory>
#include <string>
#include <vector>

namespace hetero::test {

/// A compiled random program.
class LoadedProgram {
public:
  /// Compiles and loads the program without its runtime calls of this name;
  /// null and the reason when that fails. `budget` is what memory-budget says.
  static std::unique_ptr<LoadedProgram> load(const RandomProgram &program,
                                             const std::string &without,
                                             std::string &error,
                                             const std::string &budget = "");

  /// Calls an entry point with matrices that follow from `seed`. Gives the bits
  /// of all results; false and the reason when the call fails.
  bool run(const std::string &entry, uint64_t seed,
           std::vector<int32_t> &results, std::string &error) const;

  /// How many calls are missing.
  int64_t countRemoved() const { return removed; }

private:
  std::unique_ptr<mlir::hetero::Program> program;
  bool isFloat = false;
  int64_t removed = 0;
};

} // namespace hetero::test

#endif // HETERO_TEST_UNIT_COMPILER_PROGRAMHARNESS_H
