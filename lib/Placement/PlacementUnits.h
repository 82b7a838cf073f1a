//===- PlacementUnits.h - What moves together, in order ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_PLACEMENT_PLACEMENTUNITS_H
#define HETERO_LIB_PLACEMENT_PLACEMENTUNITS_H

#include "ProblemLists.h"
#include "hetero/Placement/PlacementAssignment.h"

namespace mlir::hetero {

/// Nodes that stand on one device: one that cost places, or a group of these.
struct PlacementUnit {
  std::vector<unsigned> nodes;
  /// Where all of them are allowed, by number.
  std::vector<unsigned> devices;

  bool isAllowed(unsigned device) const;
};

/// Nodes that are not replicated, such that no way leads from a block to
/// itself through other blocks. Some may be of no unit.
struct UnitBlock {
  std::vector<unsigned> nodes;
};

class PlacementUnits {
public:
  static constexpr unsigned kNone = ~0u;

  /// What is replicated in the assignment is of no unit.
  PlacementUnits(const PlacementProblem &problem, const ProblemLists &lists,
                 const PlacementAssignment &assignment);

  const std::vector<PlacementUnit> &getUnits() const { return units; }
  /// kNone for a node that does not move.
  unsigned getUnit(unsigned node) const { return unitOfNode[node]; }
  /// The blocks in an order in which each comes after those that it needs:
  /// along ways (depth first), or as near as possible to the order of the
  /// program.
  std::vector<UnitBlock> getBlocksAlongWays() const;
  std::vector<UnitBlock> getBlocksInProgramOrder() const;
  /// What a node reads, through what is replicated: values that are not, and
  /// constants.
  const std::vector<unsigned> &getReads(unsigned node) const {
    return reads[node];
  }

private:
  void findUnits();
  void findReads(const ProblemLists &lists);
  void findBlocks();
  std::vector<UnitBlock> makeBlocks(const std::vector<unsigned> &ranks) const;

  const PlacementProblem &problem;
  const PlacementAssignment &assignment;
  std::vector<PlacementUnit> units;
  std::vector<unsigned> unitOfNode;
  std::vector<std::vector<unsigned>> reads;
  /// By node: its block, numbered along ways; kNone for what is replicated.
  std::vector<unsigned> blockOfNode;
  unsigned numBlocks = 0;
};

} // namespace mlir::hetero

#endif // HETERO_LIB_PLACEMENT_PLACEMENTUNITS_H
