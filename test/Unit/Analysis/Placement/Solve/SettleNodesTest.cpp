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
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

TEST(SettleNodesTest, KeepsTheLeastCost) {
  unsigned numSettled = 0, numLeft = 0;
  visitSmallPrograms([&](const Assignment &assignment,
                         ArrayRef<NodeIndex> open) {
    PairChoice choice(assignment, 0, 1);
    bool hasSettled = settleNodes(choice);
    SmallVector<NodeIndex> left = findUndecided(choice.assignment);
    EXPECT_EQ(findLeast(choice.assignment, left), findLeast(assignment, open));
    // Nodes that only one of the two can run are no choice.
    EXPECT_TRUE(!hasSettled || left.size() < open.size());
    for (NodeIndex node : left)
      EXPECT_TRUE(choice.isOpen(node));
    numSettled += open.size() - left.size();
    numLeft += left.size();
  });
  // Both happen.
  EXPECT_GE(numSettled, 50u);
  EXPECT_GE(numLeft, 50u);
}
