//===- PlacementAssignment.h - Where nodes stand ----------------*- C++ -*-===//
//-*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_PLACEMENT_PLACEMENTASSIGNMENT_H
#define HETERO_PLACEMENT_PLACEMENTASSIGNMENT_H

#include "hetero/Placement/PlacementProblem.h"

namespace mlir::hetero {

/// The device of each node, or that it is replicated: made again on every
/// device that needs its results.
struct PlacementAssignment {
  static constexpr unsigned kUndecided = ~0u;

  /// By node. Of what is replicated it is no matter, and may be kUndecided.
  std::vector<unsigned> devices;
  std::vector<uint8_t> isReplicated;

  bool isValueReplicated(const PlacementProblem &problem,
                         unsigned value) const {
    int64_t producer = problem.values[value].producer;
    return producer >= 0 && isReplicated[producer];
  }
  /// The device of a value that is not replicated.
  unsigned getValueDevice(const PlacementProblem &problem,
                          unsigned value) const {
    const ProblemValue &v = problem.values[value];
    return v.producer < 0 ? v.device : devices[v.producer];
  }
};

} // namespace mlir::hetero

#endif // HETERO_PLACEMENT_PLACEMENTASSIGNMENT_H
