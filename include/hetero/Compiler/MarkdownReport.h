//===- MarkdownReport.h - A report for people who read ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_MARKDOWNREPORT_H
#define HETERO_COMPILER_MARKDOWNREPORT_H

#include "hetero/Compiler/Compilation.h"

namespace mlir::hetero {

/// Prints where a program runs and what that costs in the cost model: devices,
/// the dearest operations and copies, and what would have to change for devices
/// to pay that nothing is placed on.
LogicalResult printMarkdownReport(Compilation &compilation,
                                  llvm::StringRef title, llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_MARKDOWNREPORT_H
