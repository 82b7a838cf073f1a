//===- PricedSolution.cpp - A placement as numbers ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PricedSolution.h"

#include "Analysis/Placement/Decide/PlacementResult.h"

using namespace mlir;
using namespace mlir::hetero;

PricedSolution mlir::hetero::exportSolution(const PlacementSolution &solution,
                                            const MemoryModel &memory) {
  PricedSolution result;
  const Assignment &assignment = solution.assignment;
  size_t numNodes = assignment.getGraph().nodes.size();
  for (NodeIndex node = 0; node < numNodes; ++node) {
    result.devices.push_back(assignment.getDevice(node));
    result.replicated.push_back(assignment.isReplicated(node));
  }
  result.price = getPlainPrice(solution, memory, [&](const PricedCopy &copy) {
    result.sites.push_back({copy.value, copy.from, copy.to, copy.block,
                            copy.bytes, copy.time, copy.isPartial});
  });
  return result;
}
