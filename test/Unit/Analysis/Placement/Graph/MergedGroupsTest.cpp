//===- MergedGroupsTest.cpp - Groups as one node, and apart again ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Placement/Graph/MergedGroups.h"
#include "../../../TestRegistry.h"
#include "../../AnnotatedGraph.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {
constexpr const char *kProgram = R"(
func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = math.exp %x {hetero.colocate = "pair"} : tensor<64x64xf32>
  %1 = math.sin %0 : tensor<64x64xf32>
  %2 = math.cos %1 {hetero.colocate = "pair"} : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
})";
constexpr NodeIndex kExp = 0, kSin = 1, kCos = 2;

struct MergedGroupsTest : ::testing::Test {
  MLIRContext context{getTestRegistry(), MLIRContext::Threading::DISABLED};
  AnnotatedGraph program{kProgram, context};
  const PlacementGraph &graph = *program.graph;
  MergedGroups groups{graph};
  Assignment assignment = groups.merge(*program.assignment);
};
} // namespace

TEST_F(MergedGroupsTest, TheFirstNodeStandsForAll) {
  const PlacementGraph &merged = assignment.getGraph();
  ASSERT_EQ(graph.groups.size(), 1u);
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
    EXPECT_EQ(merged.getTime(kExp, device),
              graph.getTime(kExp, device) + graph.getTime(kCos, device));
  EXPECT_EQ(merged.readsOfNode.get(kExp).size(), 2u);
  EXPECT_EQ(merged.resultsOfNode.get(kExp).size(), 2u);
  EXPECT_TRUE(merged.readsOfNode.get(kCos).empty());
  EXPECT_TRUE(merged.nodes[kExp].open);
  EXPECT_FALSE(merged.nodes[kCos].open);
}

TEST_F(MergedGroupsTest, TheGraphStaysAsItIs) {
  EXPECT_NE(&assignment.getGraph(), &graph);
  EXPECT_EQ(graph.readsOfNode.get(kExp).size(), 1u);
  EXPECT_EQ(graph.readsOfNode.get(kCos).size(), 1u);
  EXPECT_TRUE(graph.nodes[kCos].open);
}

TEST_F(MergedGroupsTest, AllGetTheDeviceOfTheFirst) {
  assignment.setDevice(kExp, 1);
  assignment.setDevice(kSin, 0);
  Assignment apart = groups.spread(assignment);
  EXPECT_EQ(&apart.getGraph(), &graph);
  EXPECT_EQ(apart.getDevice(kExp), 1u);
  EXPECT_EQ(apart.getDevice(kSin), 0u);
  EXPECT_EQ(apart.getDevice(kCos), 1u);
}
