//===- LowerBoundTest.cpp - The bound against enumeration -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On random programs for three and four devices the bound is never above the
// cheapest of all placements, and far nearer to it than every operation where
// it is fastest. HETERO_FULL_TESTS=1 in the environment tries more programs.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Placement/Solve/LowerBound.h"
#include "../../../TestRegistry.h"
#include "../../AnnotatedGraph.h"
#include "../../PlainPrice.h"
#include "../../RandomPrograms.h"
#include "Analysis/Placement/Price/PlacementPrice.h"
#include "Analysis/Placement/Solve/PlaceOptimally.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "hetero/Analysis/Placement/Placement.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {
/// Sums over all programs of the part of the optimum that a bound misses.
struct Gaps {
  unsigned programs = 0, closed = 0;
  double bound = 0, fastest = 0, cost = 0;
};

class LowerBoundTest : public ::testing::Test {
protected:
  LowerBoundTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  void check(unsigned seed, const RandomProgramOptions &options, Gaps &gaps);
  void checkAll(unsigned numDevices, unsigned maxOpen, unsigned count);

  MLIRContext context;
};
} // namespace

void LowerBoundTest::check(unsigned seed, const RandomProgramOptions &options,
                           Gaps &gaps) {
  std::string text = RandomProgram(seed, options).run();
  SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + text);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  Topology topology = Topology::get(*module);
  FailureOr<Placement> placement = computePlacement(
      *module, topology, BlockTree(*module),
      {PlacementStrategy::Optimal, {}, /*workLimit=*/0, /*wantsPrice=*/true});
  ASSERT_TRUE(succeeded(placement));
  PlainProgram program(*module, topology);
  int64_t best = program.enumerate();
  int64_t bound = placement->price.lowerBound;
  ASSERT_LE(bound, best);
  ASSERT_LE(program.sumFastest(), best);
  if (best == 0)
    return;
  ++gaps.programs;
  gaps.closed += bound == best;
  gaps.bound += double(best - bound) / double(best);
  gaps.fastest += double(best - program.sumFastest()) / double(best);
  gaps.cost += double(placement->price.cost - best) / double(best);
}

void LowerBoundTest::checkAll(unsigned numDevices, unsigned maxOpen,
                              unsigned count) {
  RandomProgramOptions options;
  options.numDevices = numDevices;
  options.maxOpen = maxOpen;
  Gaps gaps;
  for (unsigned seed = 0; seed < count; ++seed) {
    options.hasRegions = seed % 3 == 0;
    check(seed, options, gaps);
    if (HasFailure())
      return;
  }
  std::cout << numDevices << " devices: mean gap to the optimum "
            << 100 * gaps.bound / gaps.programs << " %, of the fastest times "
            << 100 * gaps.fastest / gaps.programs << " %, of the placement "
            << 100 * gaps.cost / gaps.programs << " %; closed " << gaps.closed
            << " of " << gaps.programs << "\n";
  EXPECT_LT(gaps.bound * 10, gaps.fastest);
}

TEST_F(LowerBoundTest, HoldsOnThreeDevices) {
  checkAll(3, 5, std::getenv("HETERO_FULL_TESTS") ? 8000 : 800);
}

TEST_F(LowerBoundTest, HoldsOnFourDevices) {
  checkAll(4, 4, std::getenv("HETERO_FULL_TESTS") ? 4000 : 600);
}

/// With two devices the least cost is known from the cut.
TEST_F(LowerBoundTest, HoldsWhereTheCutIsExact) {
  unsigned numClosed = 0;
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed) {
    RandomProgramOptions options;
    options.hasRegions = seed % 3 == 0;
    std::string text = RandomProgram(seed, options).run();
    SCOPED_TRACE(text);
    AnnotatedGraph program(text, context);
    PlacementSolution solution =
        placeOptimally(*program.assignment, /*workLimit=*/0);
    ASSERT_EQ(solution.gap, 0);
    int64_t cost = computePrice(solution.assignment).cost;
    int64_t bound = computeLowerBound(solution.assignment, cost, 0);
    EXPECT_LE(bound, cost);
    numClosed += bound == cost;
  }
  EXPECT_GE(numClosed, 100u);
}
