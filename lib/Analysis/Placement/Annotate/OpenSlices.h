//===- OpenSlices.h - Parts that are copied alone ---------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_ANNOTATE_OPENSLICES_H
#define HETERO_ANALYSIS_PLACEMENT_ANNOTATE_OPENSLICES_H

#include "Analysis/Placement/Graph/Assignment.h"

namespace mlir::hetero {

/// Opens the nodes of slices that are decided, and of reshapes that only these
/// read. Their results are needed where they stand.
void openSlices(PlacementGraph &graph, Assignment &fixed);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_ANNOTATE_OPENSLICES_H
