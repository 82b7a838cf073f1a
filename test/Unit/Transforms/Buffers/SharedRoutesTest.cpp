//===- SharedRoutesTest.cpp - Bytes between nodes -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs on two nodes, placed at random: what crosses the network is
// the least that can, by a plain search over the blocks of each value.
// HETERO_FULL_TESTS=1 in the environment tries more.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Buffers/SharedRoutes.h"
#include "../../Analysis/PlainPrice.h"
#include "../../Analysis/RandomPrograms.h"
#include "../../TestRegistry.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <random>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {

class SharedRoutesTest : public ::testing::Test {
protected:
  SharedRoutesTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  void check(unsigned seed);

  LogicalResult place(ModuleOp module) {
    PassManager manager(&context);
    manager.enableVerifier(false);
    PlacePassOptions options;
    options.placement = PlacementStrategy::AnnotatedOnly;
    manager.addPass(createPlacePass(options));
    manager.addPass(createMaterializeCopiesPass());
    manager.addPass(createOptimizeCopiesPass());
    return manager.run(module);
  }

  MLIRContext context;
  /// Over all programs: those with traffic, and those with less of it than
  /// copies to each device would make.
  unsigned numWithTraffic = 0, numShared = 0;
};

} // namespace

/// One program under a few placements.
void SharedRoutesTest::check(unsigned seed) {
  RandomProgramOptions options;
  options.numDevices = 3 + seed % 2;
  options.hasNodes = true;
  options.hasElements = false;
  options.hasRegions = seed % 3 != 0;
  options.hasCalls = seed % 4 == 1;
  std::string text = RandomProgram(seed, options).run();
  SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + text);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context, "test.mlir");
  ASSERT_TRUE(module);
  Topology topology = Topology::get(*module);
  PlainProgram program(*module, topology);
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 4; ++round) {
    SmallVector<unsigned> devices;
    for (unsigned i = 0; i < program.getNumOpen(); ++i)
      devices.push_back(random() % topology.size());
    program.annotate(devices);
    OwningOpRef<ModuleOp> placed = module->clone();
    program.removeAnnotations();
    ASSERT_TRUE(succeeded(place(*placed)));
    int64_t before = countTraffic(*placed, topology);
    shareRoutes(*placed);
    ASSERT_TRUE(succeeded(verify(*placed)));
    int64_t after = countTraffic(*placed, topology);
    std::string result;
    llvm::raw_string_ostream(result) << *placed;
    EXPECT_EQ(after, program.getLeastTraffic(devices)) << result;
    numWithTraffic += after != 0;
    numShared += after < before;
  }
}

TEST_F(SharedRoutesTest, CrossesTheNetworkAsSeldomAsCanBe) {
  unsigned count = std::getenv("HETERO_FULL_TESTS") ? 2000 : 100;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed)
    check(seed);
  EXPECT_GE(numWithTraffic, count * 2);
  EXPECT_GE(numShared, count / 4);
}
