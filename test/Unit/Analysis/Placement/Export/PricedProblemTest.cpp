//===- PricedProblemTest.cpp - Exported problems have the same prices -----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random assignments of random programs, priced from the exported numbers
// alone, by plain recursion over the tree of blocks and with exact fractions,
// cost what computePrice() says.
//
//===----------------------------------------------------------------------===//

#include "../../../TestRegistry.h"
#include "../../AnnotatedGraph.h"
#include "../../RandomPrograms.h"
#include "Analysis/Placement/Export/PricedSolution.h"
#include "Analysis/Placement/Memory/BuildMemory.h"
#include "Analysis/Placement/Memory/MemoryUse.h"
#include "Analysis/Placement/Price/MachineLoads.h"
#include "Analysis/Placement/Solve/BuildProblem.h"
#include "Placement/MemoryPeaks.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {

/// Prices one assignment. Times of these programs are far from saturation.
class ExportedPrice {
public:
  ExportedPrice(const PlacementProblem &problem, ArrayRef<DeviceIndex> devices,
                ArrayRef<uint8_t> replicated)
      : problem(problem), devices(devices), replicated(replicated),
        numDevices(problem.devices.size()) {}

  int64_t get();

private:
  bool stands(unsigned node, DeviceIndex device) const {
    return replicated[node] ? replicas.count({node, device}) != 0
                            : devices[node] == device;
  }
  void want(unsigned value, DeviceIndex device);
  void findReplicas();
  int64_t scale(int64_t time, BlockIndex block) const;
  int64_t getTransfer(unsigned size, DeviceIndex from, DeviceIndex to) const {
    return problem.transfers[(size * numDevices + from) * numDevices + to];
  }
  std::set<BlockIndex> getUses(unsigned value, DeviceIndex to) const;
  int64_t getParts(unsigned value, DeviceIndex from, BlockIndex block) const;
  int64_t getCopies(unsigned value, DeviceIndex from, DeviceIndex to,
                    BlockIndex block, const std::set<BlockIndex> &uses) const;

  const PlacementProblem &problem;
  ArrayRef<DeviceIndex> devices;
  ArrayRef<uint8_t> replicated;
  unsigned numDevices;
  std::set<std::pair<unsigned, DeviceIndex>> replicas;
};

class PricedProblemTest : public ::testing::Test {
protected:
  PricedProblemTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  /// An assignment of random devices, and the kinds of what is in it.
  Assignment assign(const PlacementGraph &graph, std::mt19937 &random);
  void checkCore(const Assignment &assignment, PlacementProblem &problem);
  void check(const Assignment &assignment);

  MLIRContext context;
  unsigned numReplicated = 0, numCopies = 0, numParts = 0;
};

} // namespace

void ExportedPrice::want(unsigned value, DeviceIndex device) {
  int64_t producer = problem.values[value].producer;
  if (producer < 0 || !replicated[producer] ||
      !replicas.insert({unsigned(producer), device}).second)
    return;
  for (const ProblemRead &read : problem.reads)
    if (read.node == producer)
      want(read.value, device);
}

void ExportedPrice::findReplicas() {
  for (const ProblemRead &read : problem.reads)
    if (!replicated[read.node])
      want(read.value, devices[read.node]);
  for (const ProblemUse &use : problem.uses)
    want(use.value, use.device);
  for (const ProblemPart &part : problem.parts)
    want(part.value, 0);
}

/// Frequencies of these programs are multiples of a small power of two.
int64_t ExportedPrice::scale(int64_t time, BlockIndex block) const {
  constexpr int64_t unit = 1 << 20;
  double scaled = problem.blocks[block].frequency * unit;
  EXPECT_EQ(scaled, double(int64_t(scaled)));
  __int128 product = __int128(time) * int64_t(scaled);
  return int64_t((product + unit - 1) / unit);
}

std::set<BlockIndex> ExportedPrice::getUses(unsigned value,
                                            DeviceIndex to) const {
  std::set<BlockIndex> uses;
  for (const ProblemRead &read : problem.reads)
    if (read.value == value && stands(read.node, to))
      uses.insert(read.block);
  for (const ProblemUse &use : problem.uses)
    if (use.value == value && use.device == to)
      uses.insert(use.block);
  return uses;
}

/// What parts of the value cost that the host reads in the block itself.
int64_t ExportedPrice::getParts(unsigned value, DeviceIndex from,
                                BlockIndex block) const {
  int64_t sum = 0;
  for (const ProblemPart &part : problem.parts)
    if (part.value == value && part.block == block)
      sum += scale(getTransfer(part.size, from, 0), block);
  return sum;
}

/// The least cost of what needs the value in a block and below.
int64_t ExportedPrice::getCopies(unsigned value, DeviceIndex from,
                                 DeviceIndex to, BlockIndex block,
                                 const std::set<BlockIndex> &uses) const {
  int64_t here =
      scale(getTransfer(problem.values[value].size, from, to), block);
  if (uses.count(block))
    return here;
  int64_t below = to == 0 ? getParts(value, from, block) : 0;
  for (BlockIndex child = block + 1; child < problem.blocks.size(); ++child)
    if (problem.blocks[child].parent == int64_t(block))
      below += getCopies(value, from, to, child, uses);
  return std::min(here, below);
}

int64_t ExportedPrice::get() {
  findReplicas();
  int64_t cost = 0;
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    for (DeviceIndex device = 0; device < numDevices; ++device)
      if (problem.nodes[node].kind == ProblemNodeKind::Timed &&
          stands(node, device))
        cost += problem.times[problem.nodes[node].times + device];
  for (unsigned value = 0; value < problem.values.size(); ++value) {
    const ProblemValue &v = problem.values[value];
    if (v.producer >= 0 && replicated[v.producer])
      continue;
    DeviceIndex from = v.producer >= 0 ? devices[v.producer] : v.device;
    for (DeviceIndex to = 0; to < numDevices; ++to)
      if (to != from)
        cost += getCopies(value, from, to, v.block, getUses(value, to));
  }
  return cost;
}

Assignment PricedProblemTest::assign(const PlacementGraph &graph,
                                     std::mt19937 &random) {
  Assignment assignment(graph);
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    SmallVector<DeviceIndex> capable;
    for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
      if (graph.canRunOn(node, device))
        capable.push_back(device);
    assignment.setDevice(node, capable[random() % capable.size()]);
    // What is made again must be possible everywhere.
    bool isReplicated = graph.nodes[node].canReplicate && random() % 2 == 0;
    assignment.setReplicated(node, isReplicated);
    numReplicated += isReplicated;
  }
  return assignment;
}

/// The placement core finds the same loads and the same peaks of memory, also
/// after moves there and back.
void PricedProblemTest::checkCore(const Assignment &assignment,
                                  PlacementProblem &problem) {
  MemoryModel memory(assignment.getGraph());
  problem.memory = buildMemory(memory);
  PlacementAssignment numbers = buildAssignment(assignment);
  ProblemLists lists(problem);
  Pricer pricer(problem, lists, numbers);
  for (NodeIndex node = 0; node < problem.nodes.size(); ++node) {
    for (DeviceIndex device = 0; device < problem.devices.size(); ++device)
      if (problem.canRunOn(node, device))
        pricer.set(node, device, /*isReplicated=*/false);
    if (problem.nodes[node].isReplicable && node % 2 != 0)
      pricer.set(node, kNone, /*isReplicated=*/true);
  }
  for (NodeIndex node = 0; node < problem.nodes.size(); ++node)
    pricer.set(node, numbers.devices[node], numbers.isReplicated[node]);
  PlacementPrice price = computeLoads(assignment);
  EXPECT_EQ(pricer.getSum(), price.cost);
  EXPECT_EQ(pricer.getLargestLoad(), getLargest(price.loads));
  MemoryPeaks peaks(problem, lists);
  peaks.find(pricer);
  MemoryUse use(memory, assignment);
  for (DeviceIndex device = 0; device < problem.devices.size(); ++device)
    EXPECT_EQ(peaks.getPeak(device), use.getPeak(device).bytes);
}

void PricedProblemTest::check(const Assignment &assignment) {
  PlacementPrice price = computePrice(assignment);
  PlacementProblem problem = buildProblem(assignment.getGraph());
  PricedSolution solution =
      exportSolution({assignment}, MemoryModel(assignment.getGraph()));
  ExportedPrice exported(problem, solution.devices, solution.replicated);
  EXPECT_EQ(exported.get(), price.cost);
  checkCore(assignment, problem);
  // The copies that are listed are those of the price.
  int64_t sum = 0;
  for (const PricedSite &site : solution.sites) {
    sum += site.time;
    numParts += site.isPart;
  }
  for (const DeviceLoad &load : price.devices)
    sum += load.time;
  EXPECT_EQ(sum, price.cost);
  EXPECT_EQ(int64_t(solution.sites.size()), price.copies);
  numCopies += price.copies;
}

TEST_F(PricedProblemTest, RandomAssignmentsCostTheSame) {
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed) {
    RandomProgramOptions options;
    options.numDevices = 2 + seed % 3;
    options.maxOps = 20;
    options.maxOpen = 20;
    std::string text = RandomProgram(seed, options).run();
    SCOPED_TRACE(text);
    AnnotatedGraph program(text, context);
    std::mt19937 random(seed);
    for (unsigned round = 0; round < 10; ++round)
      check(assign(*program.graph, random));
  }
  // All that is priced occurred.
  EXPECT_GT(numReplicated, 100u);
  EXPECT_GT(numCopies, 1000u);
  EXPECT_GT(numParts, 10u);
}
