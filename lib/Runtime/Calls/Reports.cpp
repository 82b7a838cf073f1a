//===- Reports.cpp - What the runtime did so far --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/Libraries.h"
#include "Runtime/Report/JSON.h"
#include "Runtime/Report/Report.h"
#include "hetero/Runtime/HeteroRuntime.h"

using namespace hetero::runtime;

char *heteroReport(void) {
  return copyString(
      printReport(json::quote("libraries") + ": " + printLibraries()));
}

void heteroResetReport(void) {
  resetCounts();
  resetLibraryCounts();
}
