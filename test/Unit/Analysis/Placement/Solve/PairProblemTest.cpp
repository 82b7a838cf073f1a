//===- PairProblemTest.cpp - The cut of two devices, by itself ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problems of random programs, nothing of which is settled before, against
// enumeration.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Placement/Solve/PairProblem.h"
#include "../../AnnotatedGraph.h"
#include "Analysis/Placement/Price/PlacementPrice.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

TEST(PairProblemTest, FindsTheLeastCost) {
  unsigned numCut = 0;
  visitSmallPrograms(
      [&](const Assignment &assignment, ArrayRef<NodeIndex> open) {
        PairProblem problem(PairChoice(assignment, 0, 1));
        Assignment solution = problem.solve(/*workLimit=*/0);
        EXPECT_EQ(problem.getGap(), 0);
        EXPECT_TRUE(findUndecided(solution).empty());
        EXPECT_EQ(computePrice(solution).cost, findLeast(assignment, open));
        numCut += open.size();
      });
  EXPECT_GE(numCut, 100u);
}
