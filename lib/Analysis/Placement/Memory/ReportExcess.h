//===- ReportExcess.h - Errors for what does not fit ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_MEMORY_REPORTEXCESS_H
#define HETERO_ANALYSIS_PLACEMENT_MEMORY_REPORTEXCESS_H

#include "MemoryUse.h"

namespace mlir::hetero {

/// An error that names a device whose memory is too small, and what is there.
void reportExcess(const MemoryUse &use, bool wasSearched);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_MEMORY_REPORTEXCESS_H
