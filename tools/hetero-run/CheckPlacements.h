//===- CheckPlacements.h - Runs a model placed in many ways -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `hetero-run --check=N`: the model as it is placed, all of it on the host, all
// of it on each other device, and N random placements must have the same
// results, up to rounding. Where one has not, the first operation is looked for
// whose value differs.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TOOLS_HETERO_RUN_CHECKPLACEMENTS_H
#define HETERO_TOOLS_HETERO_RUN_CHECKPLACEMENTS_H

#include "hetero/Compiler/Compilation.h"
#include "hetero/Runner/Runner.h"

namespace mlir::hetero {

/// Has the emulated driver look for races and delay streams at random, unless
/// HETERO_EMULATOR says otherwise. Before the driver is loaded.
void requestRaceCheck();

/// Prints a line for each placement; the exit status. The model was parsed, and
/// the values are those of its entry point.
int checkPlacements(Compilation &model, const CompilationHost &host,
                    const ::hetero::runner::RunOptions &options,
                    const ::hetero::runner::RunValues &values,
                    llvm::StringRef entry, unsigned numRandom);

} // namespace mlir::hetero

#endif // HETERO_TOOLS_HETERO_RUN_CHECKPLACEMENTS_H
