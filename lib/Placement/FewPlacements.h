//===- FewPlacements.h - All assignments, where they are few ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_PLACEMENT_FEWPLACEMENTS_H
#define HETERO_LIB_PLACEMENT_FEWPLACEMENTS_H

#include "PlacementUnits.h"
#include "Pricer.h"

namespace mlir::hetero {

/// Looks at every assignment of what cost decides, with the goal Sum also at
/// what is made again, if there are not too many.
class FewPlacements {
public:
  FewPlacements(const PlacementProblem &problem, const ProblemLists &lists,
                const PlacementUnits &units, const PlacementAssignment &start,
                SearchGoal goal);

  bool areFew() const { return count >= 1 && count <= kFew; }
  /// The best that fits; nothing if none does. They are few.
  std::optional<FittingAssignment> findBest() const;

private:
  static constexpr double kFew = 20000;

  /// Nodes with one device, of these, or made again instead.
  struct Choice {
    std::vector<unsigned> nodes, devices;
    bool mayReplicate = false;

    size_t size() const { return devices.size() + mayReplicate; }
    void take(size_t number, Pricer &pricer) const;
  };

  const PlacementProblem &problem;
  const ProblemLists &lists;
  const PlacementAssignment &start;
  SearchGoal goal;
  std::vector<Choice> choices;
  double count = 1;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_PLACEMENT_FEWPLACEMENTS_H
