//===- LatencyTest.cpp - Latencies against enumeration --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs on two to four devices, of which some do not overlap copies
// and work, placed for latency: never better than the bound or than the least
// that enumeration finds, with the best schedule of each placement; equal to it
// where that is claimed, and never worse than one device. With
// HETERO_CERTIFICATES=FOLDER certificates are written there.
// HETERO_FULL_TESTS=1 tries 500 programs.
//
//===----------------------------------------------------------------------===//

#include "../../../ObjectiveTest.h"
#include "../../../PlainPrice.h"
#include "../../../RandomMachine.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <iostream>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {

struct LatencyTally {
  unsigned programs = 0, claimed = 0, exact = 0, least = 0, betterThanOne = 0;
};

class LatencyTest : public ObjectiveTest {
protected:
  void check(unsigned seed, LatencyTally &tally, bool hasNodes = false);
};

void LatencyTest::check(unsigned seed, LatencyTally &tally, bool hasNodes) {
  RandomProgramOptions options = drawOptions(seed);
  options.hasNodes = hasNodes;
  if (hasNodes) {
    options.numDevices = 3 + seed % 2;
    options.maxOpen = 6;
  }
  options.hasCalls = seed % 8 == 3;
  std::string text = RandomProgram(seed, options).run();
  SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + text);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context, "test.mlir");
  ASSERT_TRUE(module);
  std::mt19937 random(seed);
  // Nodes are joined over their hosts.
  if (!hasNodes)
    connectDevices(*module, random);
  Topology topology = Topology::get(*module);
  PlacementPrice price =
      place(*module, topology, PlacementObjective::Latency,
            (hasNodes ? "nodes-" : "") + std::to_string(seed) + ".latency");
  // What the compiler found is found again.
  LeastLatency least =
      PlainProgram(*module, topology).enumerateLatency(price.cost + 1);
  EXPECT_TRUE(least.latency <= price.cost || !least.isExact);
  EXPECT_LE(price.lowerBound, std::min(least.latency, price.cost));
  if (price.isOptimal)
    EXPECT_GE(least.latency, price.cost);
  ASSERT_TRUE(price.single.has_value());
  EXPECT_LE(price.cost, price.single->cost);
  ++tally.programs;
  tally.claimed += price.isOptimal;
  tally.exact += least.isExact;
  tally.least += price.cost <= least.latency;
  tally.betterThanOne += price.cost < price.single->cost;
}

TEST_F(LatencyTest, IsWithinItsGap) {
  unsigned count = std::getenv("HETERO_FULL_TESTS") ? 500 : 40;
  LatencyTally tally;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed)
    check(seed, tally);
  // A loop that carries what is made again in its body, which certificates
  // count.
  check(307, tally);
  std::cout << tally.programs << " programs: " << tally.claimed
            << " claimed to be optimal, " << tally.least
            << " as early as any placement, " << tally.betterThanOne
            << " earlier than on one device, " << tally.exact
            << " enumerated exactly\n";
  EXPECT_GE(tally.claimed * 2, tally.programs);
  EXPECT_GE(tally.exact * 20, tally.programs * 19);
  EXPECT_GE(tally.least * 20, tally.programs * 19);
  // One device is not always the best.
  EXPECT_GE(tally.betterThanOne * 4, tally.programs);
}

// Copies between nodes go over both hosts, each of which does its own work in
// order, and over the link between them, which takes neither.
TEST_F(LatencyTest, IsWithinItsGapOnTwoNodes) {
  unsigned count = std::getenv("HETERO_FULL_TESTS") ? 300 : 30;
  LatencyTally tally;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed)
    check(seed, tally, /*hasNodes=*/true);
  EXPECT_GE(tally.claimed * 2, tally.programs);
  EXPECT_GE(tally.exact * 20, tally.programs * 19);
  EXPECT_GE(tally.least * 20, tally.programs * 19);
}

} // namespace
