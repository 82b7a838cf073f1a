//===- HeteroOpt.h - The command hetero-opt ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TOOLS_HETERO_OPT_HETEROOPT_H
#define HETERO_TOOLS_HETERO_OPT_HETEROOPT_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::hetero {

/// Runs the command; `registerMore` adds what modules may have besides, and
/// registers further passes.
int runHeteroOpt(int argc, char **argv,
                 void (*registerMore)(DialectRegistry &));

} // namespace mlir::hetero

#endif // HETERO_TOOLS_HETERO_OPT_HETEROOPT_H
