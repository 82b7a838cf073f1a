//===- PlacementPages.h - Pages of what was compiled and run ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_PLACEMENTPAGES_H
#define HETERO_COMPILER_PLACEMENTPAGES_H

#include "hetero/Compiler/Compilation.h"

namespace mlir::hetero {

/// A run of a program.
struct RunRecord {
  /// What heteroTraceJSON() gave.
  std::string trace;
  /// Calls that it is of.
  unsigned calls = 1;
};

/// Prints the placement of a program as a web page, with what the compiler says
/// of it and, if it ran, when each part of it did. The other compilation, which
/// may be null, is compared with.
LogicalResult printPlacementPage(Compilation &compilation,
                                 llvm::StringRef title,
                                 const std::optional<RunRecord> &run,
                                 Compilation *against, llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_PLACEMENTPAGES_H
