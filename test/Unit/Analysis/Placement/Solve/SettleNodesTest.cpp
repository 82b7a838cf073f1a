//===- SettleNodesTest.cpp - Nodes that no copy moves ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is settled of random programs is where some least placement has it, as
// enumeration finds it.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Placement/Solve/SettleNodes.h"
#include "../../AnnotatedGraph.h"
#include "../../RandomPrograms.h"
#include "../../TestRegistry.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {
constexpr unsigned kMostOpen = 11;
} // namespace

TEST(SettleNodesTest, KeepsTheLeastCost) {
  MLIRContext context(getTestRegistry(), MLIRContext::Threading::DISABLED);
  unsigned numSettled = 0, numLeft = 0;
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
    PairChoice choice(*program.assignment, 0, 1);
    bool hasSettled = settleNodes(choice);
    SmallVector<NodeIndex> left = findUndecided(choice.assignment);
    EXPECT_EQ(findLeast(choice.assignment, left),
              findLeast(*program.assignment, open));
    // Nodes that only one of the two can run are no choice.
    EXPECT_TRUE(!hasSettled || left.size() < open.size());
    for (NodeIndex node : left)
      EXPECT_TRUE(choice.isOpen(node));
    numSettled += open.size() - left.size();
    numLeft += left.size();
  }
  // Both happen.
  EXPECT_GE(numSettled, 50u);
  EXPECT_GE(numLeft, 50u);
}
