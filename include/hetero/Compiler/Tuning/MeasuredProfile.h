//===- MeasuredProfile.h - A profile of a run -------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_TUNING_MEASUREDPROFILE_H
#define HETERO_COMPILER_TUNING_MEASUREDPROFILE_H

#include "hetero/Compiler/Tuning/MeasuredRegions.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::hetero {

/// Prints the profile that the JSON of heteroReport() of so many measured calls
/// makes with the program's parts. Returns false when it is not such JSON.
bool printMeasuredProfile(llvm::StringRef report, const ProgramParts &parts,
                          int64_t calls, llvm::raw_ostream &os);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_TUNING_MEASUREDPROFILE_H
