//===- ThroughputTest.cpp - Largest loads against enumeration -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs on two to four devices, of which some do not overlap copies
// and work, placed for throughput: never better than the least that enumeration
// finds, equal to it where that is claimed, within the printed gap elsewhere,
// and never worse than one device. With HETERO_CERTIFICATES=FOLDER the
// certificates of both objectives are written there. HETERO_FULL_TESTS=1 tries
// 500 programs.
//
//===----------------------------------------------------------------------===//

#include "../../ObjectiveTest.h"
#include "../../PlainPrice.h"
#include "../../RandomMachine.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {

struct Tally {
  unsigned programs = 0, claimed = 0, least = 0, betterThanOne = 0;
};

class ThroughputTest : public ObjectiveTest {
protected:
  void check(unsigned seed, Tally &tally);
};

void ThroughputTest::check(unsigned seed, Tally &tally) {
  RandomProgramOptions options = drawOptions(seed);
  std::string text = RandomProgram(seed, options).run();
  SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + text);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context, "test.mlir");
  ASSERT_TRUE(module);
  std::mt19937 random(seed);
  connectDevices(*module, random);
  Topology topology = Topology::get(*module);
  std::string name = std::to_string(seed);
  PlacementPrice price =
      place(*module, topology, PlacementObjective::Throughput, name + ".loads");
  place(*module, topology, PlacementObjective::Sum, name + ".sum");
  int64_t least = PlainProgram(*module, topology).enumerateLoads();
  EXPECT_GE(price.cost, least);
  EXPECT_LE(price.lowerBound, least);
  if (price.isOptimal)
    EXPECT_EQ(price.cost, least);
  ASSERT_TRUE(price.single.has_value());
  EXPECT_LE(price.cost, price.single->cost);
  ++tally.programs;
  tally.claimed += price.isOptimal;
  tally.least += price.cost == least;
  tally.betterThanOne += price.cost < price.single->cost;
}

TEST_F(ThroughputTest, IsWithinItsGap) {
  unsigned count = std::getenv("HETERO_FULL_TESTS") ? 500 : 40;
  Tally tally;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed)
    check(seed, tally);
  EXPECT_GE(tally.claimed * 2, tally.programs);
  EXPECT_GE(tally.least * 20, tally.programs * 19);
  // One device is not always the best.
  EXPECT_GE(tally.betterThanOne * 4, tally.programs);
  RecordProperty("programs", tally.programs);
  RecordProperty("claimed", tally.claimed);
  RecordProperty("least", tally.least);
  RecordProperty("better-than-one-device", tally.betterThanOne);
}

} // namespace
