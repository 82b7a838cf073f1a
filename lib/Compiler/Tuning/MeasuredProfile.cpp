//===- MeasuredProfile.cpp - A profile of a run ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Tuning/MeasuredProfile.h"

#include "ProfileFit.h"

using namespace mlir::hetero;

bool mlir::hetero::printMeasuredProfile(llvm::StringRef report,
                                        const ProgramParts &parts,
                                        int64_t calls, llvm::raw_ostream &os) {
  std::optional<MeasuredRun> run = readMeasuredRun(report, parts, calls);
  if (!run)
    return false;
  ProfileFit fit;
  fit.add(*run);
  fit.print(os);
  return true;
}
