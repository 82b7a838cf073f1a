//===- CopySites.h - Where copies of a value stand --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is needed on another device in several blocks can be copied in
// each of them or once in a block above; which is cheaper depends on how often
// the blocks run.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_PLACEMENT_COPYSITES_H
#define HETERO_LIB_PLACEMENT_COPYSITES_H

#include "hetero/Placement/PlacementProblem.h"

namespace mlir::hetero {

/// A use that a copy may serve, but that can do without one at this cost: the
/// read of an element, which can be moved alone. The cost is that of all
/// executions.
struct PartialUse {
  unsigned block;
  int64_t time;
};

/// Chooses blocks for the copies of one value after the other.
class CopySiteChooser {
public:
  explicit CopySiteChooser(const std::vector<ProblemBlock> &blocks)
      : blocks(blocks), numbers(blocks.size(), kNone) {}

  /// The cheapest blocks within the subtree of `definition` of which one is
  /// above (or is) each of `uses`, if a copy takes `time`. Among equals the
  /// fewest copies, in the outermost blocks. All uses lie in the subtree;
  /// duplicates are allowed. Valid until the next call.
  const std::vector<unsigned> &choose(unsigned definition,
                                      const std::vector<unsigned> &uses,
                                      int64_t time,
                                      const std::vector<PartialUse> &partial);
  /// True if one of the blocks chosen last is the block or above it.
  bool isServed(unsigned block) const;

private:
  static constexpr unsigned kNone = ~0u;

  /// A block on the way from the definition to a use.
  struct Stop {
    unsigned block;
    bool hasUse;
    /// Least cost without a copy here.
    int64_t below;
    /// One copy here is no dearer than what is further inside.
    bool copiesHere;
    bool isServed;
  };

  void addPath(unsigned definition, unsigned use);
  void chooseBelow(int64_t time);

  const std::vector<ProblemBlock> &blocks;
  /// By block: the number of its stop.
  std::vector<unsigned> numbers;
  std::vector<Stop> stops;
  std::vector<unsigned> chosen;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_PLACEMENT_COPYSITES_H
