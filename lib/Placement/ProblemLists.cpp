//===- ProblemLists.cpp - Who reads and who makes what --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemLists.h"

#include <algorithm>

using namespace mlir::hetero;

ProblemLists::ProblemLists(const PlacementProblem &problem) {
  size_t numNodes = problem.nodes.size(), numValues = problem.values.size();
  readsOfNode.build(problem.reads, numNodes,
                    [](const ProblemRead &read) { return read.node; });
  readsOfValue.build(problem.reads, numValues,
                     [](const ProblemRead &read) { return read.value; });
  resultsOfNode.build(problem.values, numNodes,
                      [](const ProblemValue &value) { return value.producer; });
  usesOfValue.build(problem.uses, numValues,
                    [](const ProblemUse &use) { return use.value; });
  partsOfValue.build(problem.parts, numValues,
                     [](const ProblemPart &part) { return part.value; });
  int64_t numGroups = 0;
  for (const ProblemNode &node : problem.nodes)
    numGroups = std::max(numGroups, node.group + 1);
  membersOfGroup.build(problem.nodes, numGroups,
                       [](const ProblemNode &node) { return node.group; });
}
