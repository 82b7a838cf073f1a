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
#include "../../RandomPrograms.h"
#include "../../TestRegistry.h"
#include "Analysis/Placement/Price/PlacementPrice.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {
constexpr unsigned kMostOpen = 11;
} // namespace

TEST(PairProblemTest, FindsTheLeastCost) {
  MLIRContext context(getTestRegistry(), MLIRContext::Threading::DISABLED);
  unsigned numCut = 0;
  for (unsigned seed = 0; seed < 150 && !::testing::Test::HasFailure();
       ++seed) {
    RandomProgramOptions options;
    options.hasRegions = seed % 3 != 0;
    std::string text = RandomProgram(seed, options).run();
    SCOPED_TRACE(text);
    AnnotatedGraph program(text, context);
    SmallVector<NodeIndex> open = findUndecided(*program.assignment);
    if (open.size() > kMostOpen)
      continue;
    PairProblem problem(PairChoice(*program.assignment, 0, 1));
    Assignment solution = problem.solve(/*workLimit=*/0);
    EXPECT_EQ(problem.getGap(), 0);
    EXPECT_TRUE(findUndecided(solution).empty());
    EXPECT_EQ(computePrice(solution).cost,
              findLeast(*program.assignment, open));
    numCut += open.size();
  }
  EXPECT_GE(numCut, 100u);
}
