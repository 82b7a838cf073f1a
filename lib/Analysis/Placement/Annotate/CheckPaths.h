//===- CheckPaths.h - Values that cannot get somewhere ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CHECKPATHS_H
#define HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CHECKPATHS_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// An error for every value that cannot get where a decided node needs it.
LogicalResult checkPaths(const Assignment &assignment);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_CHECKPATHS_H
