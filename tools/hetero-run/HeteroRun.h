//===- HeteroRun.h - The command hetero-run ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TOOLS_HETERO_RUN_HETERORUN_H
#define HETERO_TOOLS_HETERO_RUN_HETERORUN_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::hetero {

using RegisterDialects = void (*)(DialectRegistry &);

/// Runs the command; `registerMore` adds what models may have besides.
int runHeteroRun(int argc, char **argv, RegisterDialects registerMore);

} // namespace mlir::hetero

#endif // HETERO_TOOLS_HETERO_RUN_HETERORUN_H
