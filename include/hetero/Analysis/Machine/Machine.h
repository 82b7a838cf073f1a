//===- Machine.h - Where a program will run ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_MACHINE_H
#define HETERO_ANALYSIS_MACHINE_MACHINE_H

#include "llvm/ADT/StringRef.h"

namespace mlir::hetero {

/// The devices of the machine that the program is compiled for, besides the
/// host, an array on the module: they stand in the default topology instead of
/// gpu:0.
inline constexpr llvm::StringLiteral kMachineAttrName = "hetero.machine";

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_MACHINE_H
