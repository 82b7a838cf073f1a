//===- ColocationTest.cpp - Groups against enumeration --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs in which pairs of operations have to stand on one device: the
// placement is the best of those that keep to it.
//
//===----------------------------------------------------------------------===//

#include "../../../TestRegistry.h"
#include "../../PlainPrice.h"
#include "../../RandomPrograms.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "hetero/Analysis/Placement/Placement.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {
class ColocationTest : public ::testing::Test {
protected:
  ColocationTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  void check(unsigned seed, unsigned numDevices);

  MLIRContext context;
  /// Programs in which colocation makes the optimum dearer.
  unsigned bound = 0;
};
} // namespace

/// Colocated operations have one device.
static void checkGroups(const Placement &placement) {
  llvm::DenseMap<Attribute, DeviceAttr> devices;
  for (const PlacementDecision &decision : placement.decisions)
    if (Attribute name = decision.op->getAttr(kColocateAttrName)) {
      DeviceAttr device = decision.device;
      EXPECT_EQ(devices.try_emplace(name, device).first->second, device);
    }
}

void ColocationTest::check(unsigned seed, unsigned numDevices) {
  RandomProgramOptions options;
  options.numDevices = numDevices;
  options.maxOpen = numDevices == 2 ? 7 : 4;
  options.hasRegions = seed % 2;
  std::string text = RandomProgram(seed, options).run();
  SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + text);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  Topology topology = Topology::get(*module);
  PlainProgram program(*module, topology);
  if (program.getNumOpen() < 2)
    return;
  int64_t free = program.enumerate();
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 2; ++i)
    program.colocate(random() % program.getNumOpen(),
                     random() % program.getNumOpen());
  int64_t best = program.enumerate();
  bound += best > free;
  for (PlacementStrategy strategy :
       {PlacementStrategy::Optimal, PlacementStrategy::Greedy}) {
    FailureOr<Placement> placement =
        computePlacement(*module, topology, BlockTree(*module),
                         {strategy, {}, /*workLimit=*/0, /*wantsPrice=*/true});
    ASSERT_TRUE(succeeded(placement));
    checkGroups(*placement);
    EXPECT_GE(placement->price.cost, best);
    EXPECT_LE(placement->price.lowerBound, best);
    if (numDevices == 2 && strategy == PlacementStrategy::Optimal)
      EXPECT_EQ(placement->price.cost, best);
  }
}

TEST_F(ColocationTest, IsOptimalOnTwoDevices) {
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed)
    check(seed, 2);
  EXPECT_GT(bound, 20u);
}

TEST_F(ColocationTest, IsWithinItsGapOnThreeDevices) {
  for (unsigned seed = 0; seed < 150 && !HasFailure(); ++seed)
    check(seed, 3);
  EXPECT_GT(bound, 15u);
}
