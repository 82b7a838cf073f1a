//===- TuningReport.h - Prints how a placement was tuned --------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_TUNING_TUNINGREPORT_H
#define HETERO_COMPILER_TUNING_TUNINGREPORT_H

#include "hetero/Compiler/Tuning/TunePlacement.h"

namespace mlir::hetero {

/// Prints a table of the placements; with details also what was predicted and
/// measured of each operation, link and device in the first round and the last.
void printTuning(const Tuning &tuning, bool hasDetails, llvm::raw_ostream &os);

/// Prints all of it as a JSON object; docs/Compiler.md lists the members.
void printTuningAsJson(const Tuning &tuning, llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_TUNING_TUNINGREPORT_H
