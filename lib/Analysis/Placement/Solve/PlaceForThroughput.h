//===- PlaceForThroughput.h - Places for many requests -------- -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_PLACEFORTHROUGHPUT_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_PLACEFORTHROUGHPUT_H

#include "LoadModel.h"

namespace mlir::hetero {

/// Decides what is open so that the largest load of a device or link is small:
/// never larger than with all of it on one device. Operations are made once,
/// but for what is replicated from the start.
Assignment placeForThroughput(const Assignment &open, int64_t workLimit);

/// True if placements are so few that all are looked at.
bool hasFewPlacements(const LoadModel &model);
/// Calls `visit` with every placement of what is open.
void forEachPlacement(const LoadModel &model,
                      llvm::function_ref<void(const LoadSolution &)> visit);

/// What a placement by the sum repeats, or does not, is made as often as it is
/// in `open`.
Assignment makeOnce(const Assignment &open, Assignment decided);

/// What is open on this device, if not on the host, if not where it is fastest.
Assignment placeOnOne(Assignment assignment, DeviceIndex device);

/// What no largest load of a placement of what is open is below; `cost` is that
/// of one.
int64_t computeLoadBound(const Assignment &open, int64_t cost);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_PLACEFORTHROUGHPUT_H
