//===- MoveCostsTest.cpp - Costs of moves against whole prices ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation of random programs is moved to every other device, and made
// again on each device that needs it: what that costs is the difference of the
// prices before and after.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Placement/Price/MoveCosts.h"
#include "../../../TestRegistry.h"
#include "../../RandomPrograms.h"
#include "Analysis/Placement/Graph/GraphBuilder.h"
#include "Analysis/Placement/Price/PlacementPrice.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {

struct MoveTally {
  unsigned moves = 0, changingCopies = 0, cheaper = 0, impossible = 0;
};

class MoveCostsTest : public ::testing::Test {
protected:
  MoveCostsTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  void check(const std::string &text, PlacementStrategy strategy);
  void checkNode(const Assignment &assignment, MoveCosts &costs,
                 NodeIndex node);

  MLIRContext context;
  MoveTally tally;
};

} // namespace

void MoveCostsTest::checkNode(const Assignment &assignment, MoveCosts &costs,
                              NodeIndex node) {
  const PlacementGraph &graph = assignment.getGraph();
  int64_t before = computePrice(assignment).cost;
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device) {
    std::optional<MoveCost> cost = costs.get(node, device);
    Assignment moved = assignment;
    moved.setDevice(node, device);
    int64_t after = computePrice(moved).cost;
    if (!cost) {
      ++tally.impossible;
      EXPECT_TRUE(!graph.canRunOn(node, device) || after == INT64_MAX);
      continue;
    }
    EXPECT_EQ(cost->compute + cost->copies, after - before)
        << "node " << node << " to device " << device;
    ++tally.moves;
    tally.changingCopies += cost->copies != 0;
    tally.cheaper += after < before;
  }
}

void MoveCostsTest::check(const std::string &text, PlacementStrategy strategy) {
  SCOPED_TRACE(text);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context, "test.mlir");
  ASSERT_TRUE(module);
  Topology topology = Topology::get(*module);
  BlockTree tree(*module);
  PlacementGraph graph = buildPlacementGraph(*module, topology, tree, {});
  FailureOr<PlacementSolution> solution =
      decidePlacement(*module, graph, {strategy});
  ASSERT_TRUE(succeeded(solution));
  const Assignment &assignment = solution->assignment;
  MoveCosts costs(assignment);
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (graph.nodes[node].op && graph.nodes[node].isTimed &&
        !assignment.isReplicated(node))
      checkNode(assignment, costs, node);
}

TEST_F(MoveCostsTest, AreDifferencesOfPrices) {
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed) {
    RandomProgramOptions options;
    options.numDevices = 2 + seed % 2;
    options.maxOps = options.maxOpen = 20;
    options.hasRegions = seed % 3 != 0;
    for (PlacementStrategy strategy :
         {PlacementStrategy::Optimal, PlacementStrategy::AnnotatedOnly})
      check(RandomProgram(seed, options).run(), strategy);
  }
  // Most moves change copies, some pay; all are possible on these machines.
  EXPECT_GE(tally.moves, 1000u);
  EXPECT_GE(tally.changingCopies * 2, tally.moves);
  EXPECT_GE(tally.cheaper, 50u);
}
