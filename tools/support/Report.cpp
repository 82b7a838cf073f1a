//===- Report.cpp - Prints the runtime's counters -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

using namespace mlir::hetero;

bool mlir::hetero::printReport(llvm::StringRef json, llvm::raw_ostream &os) {
  os << json << "\n";
  return true;
}
