//===- PairProblemTest.cpp - Problem and settled nodes, by themselves -----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The graphs of random programs, annotated but not placed: what is settled
// before the problem, and what its cut decides, against enumeration.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Placement/Solve/PairProblem.h"
#include "../../RandomPrograms.h"
#include "../../TestRegistry.h"
#include "Analysis/Placement/Annotate/Annotations.h"
#include "Analysis/Placement/Graph/GraphBuilder.h"
#include "Analysis/Placement/Price/PlacementPrice.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {
constexpr unsigned kMostOpen = 11;

class PairProblemTest : public ::testing::Test {
protected:
  PairProblemTest()
      : context(getTestRegistry(), MLIRContext::Threading::DISABLED) {}

  void check(const std::string &text);

  MLIRContext context;
  unsigned numSettled = 0, numCut = 0;
};
} // namespace

/// Open nodes without a device.
static SmallVector<NodeIndex> findUndecided(const PlacementGraph &graph) {
  SmallVector<NodeIndex> nodes;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (graph.nodes[node].open && graph.nodes[node].device == kNone)
      nodes.push_back(node);
  return nodes;
}

/// The least price over all devices of these nodes.
static int64_t findLeast(PlacementGraph graph, ArrayRef<NodeIndex> nodes) {
  int64_t least = INT64_MAX;
  for (unsigned choice = 0; choice < 1u << nodes.size(); ++choice) {
    bool isAllowed = true;
    for (auto [bit, node] : llvm::enumerate(nodes)) {
      graph.nodes[node].device = choice >> bit & 1;
      isAllowed &= graph.isAllowed(node, graph.nodes[node].device);
    }
    if (isAllowed)
      least = std::min(least, computePrice(graph).cost);
  }
  return least;
}

void PairProblemTest::check(const std::string &text) {
  SCOPED_TRACE(text);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context, "test.mlir");
  ASSERT_TRUE(module);
  Topology topology = Topology::get(*module);
  ASSERT_EQ(topology.size(), 2u);
  BlockTree tree(*module);
  PlacementGraph graph = buildPlacementGraph(*module, topology, tree);
  ASSERT_TRUE(succeeded(decideByAnnotations(*module, graph, {})));
  SmallVector<NodeIndex> open = findUndecided(graph);
  if (open.size() > kMostOpen)
    return;
  int64_t least = findLeast(graph, open);

  PairProblem problem(graph, 0, 1);
  SmallVector<NodeIndex> left = findUndecided(graph);
  EXPECT_EQ(findLeast(graph, left), least) << "settling lost something";
  numSettled += open.size() - left.size();
  numCut += left.size();

  problem.solve(/*workLimit=*/0);
  EXPECT_TRUE(findUndecided(graph).empty());
  EXPECT_EQ(problem.getGap(), 0);
  EXPECT_EQ(computePrice(graph).cost, least);
}

TEST_F(PairProblemTest, SettlesAndCutsWithoutLoss) {
  for (unsigned seed = 0; seed < 150 && !HasFailure(); ++seed) {
    RandomProgramOptions options;
    options.hasRegions = seed % 3 != 0;
    check(RandomProgram(seed, options).run());
  }
  // Both happen.
  EXPECT_GE(numSettled, 50u);
  EXPECT_GE(numCut, 50u);
}
