//===- MemoryLimitTest.cpp - Placement within memory, by enumeration ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs on machines whose memory is too small for the cheapest
// placement, against all placements: what is placed fits, it is found where
// there is one that fits, and is nearly always the cheapest of these.
// HETERO_FULL_TESTS=1 in the environment tries more programs.
//
//===----------------------------------------------------------------------===//

#include "../../../TestRegistry.h"
#include "../../RandomPrograms.h"
#include "Analysis/Placement/Graph/GraphBuilder.h"
#include "Analysis/Placement/Memory/MemoryUse.h"
#include "Analysis/Placement/Price/LatencyTasks.h"
#include "Analysis/Placement/Price/MachineLoads.h"
#include "Analysis/Placement/Solve/Repetition.h"
#include "hetero/Analysis/Placement/Decide/ComputePlacement.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace {
/// A placement that enumeration tried.
struct Tried {
  int64_t cost;
  /// The largest of a device or link, and whether a placement for throughput
  /// may be this one: nothing that is open is made again.
  int64_t load;
  /// A bound on the time of one request, and the time by a quick schedule.
  int64_t latencyBound = 0, latency = 0;
  bool isOnce;
  SmallVector<int64_t, 4> peaks;
};

struct LimitTally {
  unsigned programs = 0, feasible = 0, found = 0, least = 0;
  /// With the largest load, or the time of one request, as the objective.
  unsigned loads = 0, leastLoads = 0, latencies = 0, leastLatencies = 0;
  double above = 0;
};

class MemoryLimitTest : public ::testing::Test {
protected:
  MemoryLimitTest()
      : context(test::getTestRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    // What does not fit is an error.
    context.getDiagEngine().registerHandler([](Diagnostic &) {});
  }

  SmallVector<Tried, 0> enumerate(ModuleOp module);
  void limit(ModuleOp module, ArrayRef<std::optional<int64_t>> capacities);
  std::optional<PlacementPrice> place(ModuleOp module,
                                      PlacementObjective objective);
  void checkLoads(ModuleOp module, ArrayRef<Tried> fitting, LimitTally &tally);
  void checkLatency(ModuleOp module, ArrayRef<Tried> fitting,
                    LimitTally &tally);
  void check(unsigned seed, const RandomProgramOptions &options,
             LimitTally &tally);
  void checkAll(unsigned numDevices, unsigned maxOpen, unsigned count);

  MLIRContext context;
};
} // namespace

/// True if the node may be made wherever it is needed, which is somewhere.
static bool mayRepeat(const PlacementGraph &graph, NodeIndex node) {
  return graph.nodes[node].mayRepeat ||
         (isRepeatableByCost(graph, node) &&
          llvm::any_of(graph.resultsOfNode.get(node), [&](ValueIndex value) {
            return !graph.readsOfValue.get(value).empty() ||
                   !graph.fixedUsesOfValue.get(value).empty() ||
                   !graph.partialReadsOfValue.get(value).empty();
          }));
}

/// Every placement of what is open, the solver's first.
SmallVector<Tried, 0> MemoryLimitTest::enumerate(ModuleOp module) {
  Topology topology = Topology::get(module);
  BlockTree tree(module);
  PlacementGraph graph = buildPlacementGraph(module, topology, tree);
  SmallVector<Tried, 0> tried;
  FailureOr<PlacementSolution> solution = decidePlacement(module, graph, {});
  if (failed(solution))
    return tried;
  Assignment assignment = solution->assignment;
  MemoryModel model(graph);
  ProgramSegments segments(graph);
  // What takes time to make may also be made wherever it is needed, which is
  // the number after that of the last device.
  SmallVector<NodeIndex> open;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (graph.nodes[node].mayRepeat || graph.nodes[node].open)
      open.push_back(node);
  auto add = [&] {
    MemoryUse use(model, assignment);
    Tried &entry = tried.emplace_back();
    PlacementPrice price = computeLoads(assignment);
    entry.cost = price.cost;
    entry.load = getLargest(price.loads);
    entry.isOnce = llvm::all_of(open, [&](NodeIndex node) {
      return assignment.isReplicated(node) == graph.nodes[node].mayRepeat;
    });
    for (DeviceIndex device = 0; device < topology.size(); ++device)
      entry.peaks.push_back(use.getPeak(device).bytes);
    if (!entry.isOnce)
      return;
    LatencyTasks tasks = collectTasks(assignment, segments);
    entry.latencyBound = tasks.getBound();
    entry.latency = tasks.schedule(ScheduleEffort::One);
  };
  add();
  SmallVector<unsigned> choices(open.size(), 0);
  auto isAllowed = [&] {
    return llvm::all_of(open, [&](NodeIndex node) {
      return assignment.isReplicated(node) ||
             graph.isAllowed(node, assignment.getDevice(node));
    });
  };
  for (bool isDone = false; !isDone;) {
    for (auto [node, choice] : llvm::zip_equal(open, choices)) {
      bool isReplicated = choice == topology.size();
      assignment.setReplicated(node, isReplicated);
      assignment.setDevice(node, isReplicated ? kNone : DeviceIndex(choice));
    }
    if (isAllowed())
      add();
    isDone = true;
    for (auto [node, choice] : llvm::zip_equal(open, choices)) {
      if (++choice < topology.size() + mayRepeat(graph, node)) {
        isDone = false;
        break;
      }
      choice = 0;
    }
  }
  return tried;
}

void MemoryLimitTest::limit(ModuleOp module,
                            ArrayRef<std::optional<int64_t>> capacities) {
  auto topology = module->getAttrOfType<TopologyAttr>(kTopologyAttrName);
  SmallVector<DeviceSpecAttr> specs;
  for (DeviceSpecAttr spec : topology.getDevices()) {
    DeviceIndex index = *Topology::get(module).lookup(spec.getDevice());
    specs.push_back(DeviceSpecAttr::get(
        &context, spec.getDevice(), capacities[index], spec.getCompute(),
        spec.getBandwidth(), spec.getLaunch(), spec.getTypes(),
        spec.getTarget(), spec.getOverlap()));
  }
  module->setAttr(kTopologyAttrName,
                  TopologyAttr::get(&context, specs, topology.getLinks()));
}

/// A placement for the objective, which fits.
std::optional<PlacementPrice>
MemoryLimitTest::place(ModuleOp module, PlacementObjective objective) {
  PlacementOptions options;
  options.workLimit = 0;
  options.wantsPrice = true;
  options.objective = objective;
  Topology topology = Topology::get(module);
  FailureOr<Placement> placement =
      computePlacement(module, topology, BlockTree(module), options);
  if (failed(placement))
    return std::nullopt;
  for (auto [device, load] : llvm::enumerate(placement->price.devices))
    EXPECT_LE(load.memory, topology.getCapacity(device).value_or(INT64_MAX));
  if (placement->price.single)
    EXPECT_LE(placement->price.cost, placement->price.single->cost);
  return placement->price;
}

/// Placed for throughput, a program fits as well, and no placement that fits is
/// better than the bound; where placements are few, none is better at all.
void MemoryLimitTest::checkLoads(ModuleOp module, ArrayRef<Tried> fitting,
                                 LimitTally &tally) {
  int64_t least = INT64_MAX;
  for (const Tried &entry : fitting)
    if (entry.isOnce)
      least = std::min(least, entry.load);
  if (least == INT64_MAX)
    return;
  std::optional<PlacementPrice> price =
      place(module, PlacementObjective::Throughput);
  if (!price)
    return;
  EXPECT_GE(price->cost, least);
  EXPECT_LE(price->lowerBound, least);
  if (price->isOptimal)
    EXPECT_EQ(price->cost, least);
  ++tally.loads;
  tally.leastLoads += price->cost == least;
}

/// The same for latency, of which a quick schedule is close to the best one.
void MemoryLimitTest::checkLatency(ModuleOp module, ArrayRef<Tried> fitting,
                                   LimitTally &tally) {
  int64_t least = INT64_MAX, bound = INT64_MAX;
  for (const Tried &entry : fitting) {
    if (!entry.isOnce)
      continue;
    least = std::min(least, entry.latency);
    bound = std::min(bound, entry.latencyBound);
  }
  if (least == INT64_MAX)
    return;
  std::optional<PlacementPrice> price =
      place(module, PlacementObjective::Latency);
  if (!price)
    return;
  EXPECT_GE(price->cost, bound);
  EXPECT_LE(price->lowerBound, least);
  if (price->isOptimal)
    EXPECT_LE(price->cost, least);
  ++tally.latencies;
  tally.leastLatencies += price->cost <= least;
}

void MemoryLimitTest::check(unsigned seed, const RandomProgramOptions &options,
                            LimitTally &tally) {
  std::string text = RandomProgram(seed, options).run();
  SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + text);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  SmallVector<Tried, 0> tried = enumerate(*module);
  ASSERT_FALSE(tried.empty());
  // What some placement needs, or a little less.
  std::mt19937 random(seed);
  SmallVector<std::optional<int64_t>> capacities(options.numDevices);
  const Tried &target = tried[random() % tried.size()];
  int64_t percent = random() % 4 == 0 ? 50 + random() % 50 : 100;
  for (unsigned device = 0; device < options.numDevices; ++device)
    if (device == options.numDevices - 1 || random() % 3 == 0)
      capacities[device] =
          std::max<int64_t>(target.peaks[device] * percent / 100, 1);
  auto fits = [&](ArrayRef<int64_t> peaks) {
    return llvm::all_of(llvm::zip(peaks, capacities), [](auto pair) {
      auto [peak, capacity] = pair;
      return !capacity || peak <= *capacity;
    });
  };
  if (fits(tried.front().peaks))
    return;
  llvm::erase_if(tried, [&](const Tried &entry) { return !fits(entry.peaks); });
  int64_t best = INT64_MAX;
  for (const Tried &entry : tried)
    best = std::min(best, entry.cost);
  limit(*module, capacities);
  checkLoads(*module, tried, tally);
  checkLatency(*module, tried, tally);
  FailureOr<Placement> placement = computePlacement(
      *module, Topology::get(*module), BlockTree(*module),
      {PlacementStrategy::Optimal, {}, /*workLimit=*/0, /*wantsPrice=*/true});
  SmallVector<int64_t> peaks;
  if (succeeded(placement))
    for (const DeviceLoad &device : placement->price.devices)
      peaks.push_back(device.memory);
  // Enumeration keeps constants on devices.
  if (succeeded(placement) && !placement->streams.empty()) {
    EXPECT_TRUE(fits(peaks));
    EXPECT_LE(placement->price.lowerBound, placement->price.cost);
    return;
  }
  ++tally.programs;
  tally.feasible += best != INT64_MAX;
  if (failed(placement))
    return;
  ++tally.found;
  const PlacementPrice &price = placement->price;
  EXPECT_TRUE(fits(peaks));
  EXPECT_EQ(price.memory, MemoryLimit::Binding);
  EXPECT_GE(price.cost, best);
  EXPECT_LE(price.lowerBound, best);
  EXPECT_EQ(price.isOptimal, price.cost == price.lowerBound);
  tally.least += price.cost == best;
  tally.above += double(price.cost - best) / double(std::max<int64_t>(best, 1));
}

void MemoryLimitTest::checkAll(unsigned numDevices, unsigned maxOpen,
                               unsigned count) {
  RandomProgramOptions options;
  options.numDevices = numDevices;
  options.maxOpen = maxOpen;
  LimitTally tally;
  for (unsigned seed = 0; seed < count; ++seed) {
    options.hasRegions = seed % 3 != 0;
    check(seed, options, tally);
    if (HasFailure())
      return;
  }
  std::cout << numDevices << " devices: memory is short in " << tally.programs
            << " programs; found " << tally.found << " of " << tally.feasible
            << " that fit, " << tally.least << " at the least cost, on average "
            << 100 * tally.above / std::max(tally.found, 1u) << " % above it\n";
  EXPECT_GE(tally.programs * 4, count);
  EXPECT_EQ(tally.found, tally.feasible);
  // 19 in 20, and nine in ten.
  EXPECT_GE(tally.least * 20, tally.found * 19);
  EXPECT_GE(tally.leastLoads * 10, tally.loads * 9);
  EXPECT_GE(tally.loads * 10, tally.feasible * 7);
  EXPECT_GE(tally.leastLatencies * 10, tally.latencies * 9);
  EXPECT_GE(tally.latencies * 10, tally.feasible * 7);
}

TEST_F(MemoryLimitTest, FitsOnTwoDevices) {
  checkAll(2, 8, std::getenv("HETERO_FULL_TESTS") ? 2000 : 200);
}

TEST_F(MemoryLimitTest, FitsOnThreeDevices) {
  checkAll(3, 5, std::getenv("HETERO_FULL_TESTS") ? 1000 : 100);
}
