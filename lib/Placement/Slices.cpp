//===- Slices.cpp - Consecutive parts of a program, a device each ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a slice cannot take, because it is pinned elsewhere or cannot run there,
// stays outside of it, though its place in the order is inside.
//
//===----------------------------------------------------------------------===//

#include "Slices.h"

#include "PeakTree.h"

#include <algorithm>
#include <limits>

using namespace mlir::hetero;

static constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// Of a longer order several consecutive blocks are one; how many are left
/// depends on the nodes that slices from each of them to the end have.
static constexpr size_t kFewBlocks = 64, kMostBlocks = 2000;
static constexpr size_t kMostNodes = 40'000'000;

namespace {
/// The slices that begin with one block, as they grow, on one device.
class SliceGrower {
public:
  SliceGrower(const PlacementProblem &problem, const ProblemLists &lists,
              const PlacementUnits &units, const std::vector<UnitBlock> &blocks,
              unsigned device)
      : problem(problem), lists(lists), units(units), blocks(blocks),
        device(device), isLimited(problem.isLimited()),
        blockOfNode(problem.nodes.size(), PlacementUnits::kNone),
        states(problem.values.size()), peaks(problem.nodes.size()) {
    for (unsigned block = 0; block < blocks.size(); ++block)
      for (unsigned node : blocks[block].nodes)
        blockOfNode[node] = block;
    findLastReaders();
  }

  unsigned getDevice() const { return device; }
  size_t getNumBlocks() const { return blocks.size(); }
  /// Begins with an empty slice.
  void begin() {
    ++round;
    work = in = out = 0;
    weights = 0;
    countedConstants.clear();
    if (isLimited)
      peaks.clear();
  }
  /// Adds the next block.
  void grow(unsigned block);
  int64_t getBytes() const { return weights + peaks.getLargest(); }
  /// What the slice takes of all times, or of the busiest engine.
  double getCost(SliceGoal goal) const {
    return goal == SliceGoal::Sum || !problem.overlaps[device]
               ? work + in + out
               : std::max({work, in, out});
  }

private:
  /// What a slice knows of one value; of an older round nothing.
  struct ValueState {
    unsigned round = 0;
    bool isInside = false, leaves = false, isReadOut = false;
    int64_t begin = -1, end = -1;
  };

  void findLastReaders();
  bool isTaken(unsigned node) const {
    unsigned unit = units.getUnit(node);
    return unit != PlacementUnits::kNone &&
           units.getUnits()[unit].isAllowed(device);
  }
  ValueState &getState(unsigned value) {
    ValueState &state = states[value];
    if (state.round != round) {
      state = ValueState();
      state.round = round;
    }
    return state;
  }
  double getCopyTime(unsigned value, unsigned from, unsigned to) const {
    const ProblemValue &v = problem.values[value];
    int64_t time = problem.getTransferTime(v.size, from, to);
    return double(problem.scale(time, v.block));
  }
  void read(unsigned value, unsigned node);
  void readOutside(unsigned value);
  void make(unsigned value, unsigned node);
  void endReads(unsigned value, unsigned block);
  void keep(unsigned value, int64_t node);

  const PlacementProblem &problem;
  const ProblemLists &lists;
  const PlacementUnits &units;
  const std::vector<UnitBlock> &blocks;
  unsigned device;
  bool isLimited;
  std::vector<unsigned> blockOfNode;
  /// By value: the last block that reads it, and whether something does in any
  /// case that is in no slice.
  std::vector<unsigned> lastReader;
  std::vector<uint8_t> isUsedOutside;

  unsigned round = 0;
  double work = 0, in = 0, out = 0;
  int64_t weights = 0;
  std::vector<ValueState> states;
  PeakTree peaks;
  std::vector<uint8_t> countedConstants;
};
} // namespace

void SliceGrower::findLastReaders() {
  lastReader.assign(problem.values.size(), 0);
  isUsedOutside.assign(problem.values.size(), false);
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    if (blockOfNode[node] != PlacementUnits::kNone)
      for (unsigned value : units.getReads(node))
        lastReader[value] = std::max(lastReader[value], blockOfNode[node]);
  for (const ProblemUse &use : problem.uses)
    isUsedOutside[use.value] |= use.device != device;
  for (const ProblemPart &part : problem.parts)
    isUsedOutside[part.value] = true;
}

/// The value takes its bytes from where it is known to this node.
void SliceGrower::keep(unsigned value, int64_t node) {
  ValueState &state = getState(value);
  auto take = [&](int64_t first, int64_t last) {
    if (isLimited)
      peaks.add(first, last, problem.getBytes(value));
  };
  if (state.begin < 0) {
    state.begin = state.end = node;
    take(node, node);
    return;
  }
  if (node > state.end)
    take(state.end + 1, node);
  if (node < state.begin)
    take(node, state.begin - 1);
  state.begin = std::min(state.begin, node);
  state.end = std::max(state.end, node);
}

void SliceGrower::read(unsigned value, unsigned node) {
  if (int64_t constant = problem.memory.values[value].constant; constant >= 0) {
    if (size_t(constant) >= countedConstants.size())
      countedConstants.resize(constant + 1, false);
    weights += countedConstants[constant] ? 0 : problem.getBytes(value);
    countedConstants[constant] = true;
    return;
  }
  // A view lives in what it is of, if that is here.
  for (int64_t viewed = problem.memory.values[value].viewed;
       viewed >= 0 && getState(value).isInside;
       viewed = problem.memory.values[value].viewed)
    value = unsigned(viewed);
  ValueState &state = getState(value);
  const ProblemValue &v = problem.values[value];
  bool isHere = v.producer < 0 && v.device == device;
  if (!state.isInside && state.begin < 0 && !isHere)
    in += getCopyTime(value, PlacementProblem::kHost, device);
  if (!isHere)
    keep(value, node);
}

/// Something needs the value that is not of the slice.
void SliceGrower::readOutside(unsigned value) {
  ValueState &state = getState(value);
  if (state.isInside && !state.leaves) {
    state.leaves = true;
    if (lastReader[value] <= blockOfNode[problem.values[value].producer])
      out += getCopyTime(value, device, PlacementProblem::kHost);
  }
}

void SliceGrower::make(unsigned value, unsigned node) {
  ValueState &state = getState(value);
  state.isInside = true;
  state.leaves = isUsedOutside[value];
  unsigned block = blockOfNode[node];
  bool isReadLater = lastReader[value] > block;
  if (state.leaves || isReadLater)
    out += getCopyTime(value, device, PlacementProblem::kHost);
  if (problem.memory.values[value].viewed < 0)
    keep(value, node);
}

void SliceGrower::grow(unsigned block) {
  for (unsigned node : blocks[block].nodes) {
    if (!isTaken(node)) {
      for (unsigned value : units.getReads(node))
        readOutside(value);
      continue;
    }
    if (problem.nodes[node].kind == ProblemNodeKind::Timed)
      work += double(problem.getTime(node, device));
    for (unsigned value : units.getReads(node))
      read(value, node);
    for (unsigned value : lists.resultsOfNode.get(node))
      make(value, node);
  }
  for (unsigned node : blocks[block].nodes)
    for (unsigned value : units.getReads(node))
      if (lastReader[value] == block)
        endReads(value, block);
}

/// What is read for the last time need not leave the slice any more.
void SliceGrower::endReads(unsigned value, unsigned block) {
  ValueState &state = getState(value);
  if (!state.isInside || state.leaves || state.isReadOut ||
      blockOfNode[problem.values[value].producer] == block)
    return;
  state.isReadOut = true;
  out -= getCopyTime(value, device, PlacementProblem::kHost);
}

namespace {
/// The dynamic program over places where a slice begins.
class SliceTable {
public:
  SliceTable(const PlacementProblem &problem, const PlacementUnits &units,
             const std::vector<UnitBlock> &blocks,
             const std::vector<unsigned> &devices, SliceGoal goal)
      : problem(problem), units(units), blocks(blocks), devices(devices),
        goal(goal), entries((blocks.size() + 1) * (devices.size() + 1)) {
    at(0, 0).cost = 0;
  }

  /// A device may stay empty before the block, and that be on the host.
  void pass(unsigned block);
  /// True if the blocks before this one can be on the devices before this one.
  bool reaches(unsigned block, unsigned number) {
    return at(block, number).cost != kInfinite;
  }
  /// A slice from a block to before another one, on the device of a number.
  void add(unsigned begin, unsigned end, unsigned number,
           const SliceGrower &slice) {
    double cost = join(at(begin, number).cost, slice.getCost(goal));
    consider(end, number + 1, {cost, begin, number, true});
  }
  PlacementAssignment read(PlacementAssignment assignment);

private:
  /// The least cost of the blocks before one with the first devices, and how
  /// that is had.
  struct Entry {
    double cost = kInfinite;
    unsigned begin = 0, numDevices = 0;
    /// The last slice is on the device before; else on the host, or empty.
    bool isOnDevice = false;
  };

  Entry &at(unsigned block, unsigned numDevices) {
    return entries[block * (devices.size() + 1) + numDevices];
  }
  double join(double before, double slice) const {
    return goal == SliceGoal::Sum ? before + slice : std::max(before, slice);
  }
  void consider(unsigned end, unsigned numDevices, const Entry &entry) {
    if (entry.cost < at(end, numDevices).cost)
      at(end, numDevices) = entry;
  }
  double getHostTime(unsigned block) const;

  const PlacementProblem &problem;
  const PlacementUnits &units;
  const std::vector<UnitBlock> &blocks;
  const std::vector<unsigned> &devices;
  SliceGoal goal;
  std::vector<Entry> entries;
};
} // namespace

/// Where a block is on the host, each unit that cannot be there counts nothing.
double SliceTable::getHostTime(unsigned block) const {
  double time = 0;
  for (unsigned node : blocks[block].nodes)
    if (unsigned unit = units.getUnit(node);
        unit != PlacementUnits::kNone &&
        problem.nodes[node].kind == ProblemNodeKind::Timed &&
        units.getUnits()[unit].isAllowed(PlacementProblem::kHost))
      time += double(problem.getTime(node, PlacementProblem::kHost));
  return time;
}

void SliceTable::pass(unsigned block) {
  for (unsigned q = 0; q < devices.size(); ++q)
    consider(block, q + 1, {at(block, q).cost, block, q, false});
  double onHost = getHostTime(block);
  for (unsigned q = 0; q <= devices.size(); ++q)
    consider(block + 1, q, {join(at(block, q).cost, onHost), block, q, false});
}

PlacementAssignment SliceTable::read(PlacementAssignment assignment) {
  unsigned block = blocks.size(), q = 0;
  for (unsigned other = 0; other <= devices.size(); ++other)
    if (at(block, other).cost < at(block, q).cost)
      q = other;
  while (block != 0 || q != 0) {
    Entry entry = at(block, q);
    unsigned device =
        entry.isOnDevice ? devices[entry.numDevices] : PlacementProblem::kHost;
    for (unsigned i = entry.begin; i < block; ++i)
      for (unsigned node : blocks[i].nodes) {
        unsigned unit = units.getUnit(node);
        if (unit == PlacementUnits::kNone)
          continue;
        const PlacementUnit &u = units.getUnits()[unit];
        unsigned target = u.isAllowed(device) ? device
                          : u.isAllowed(PlacementProblem::kHost)
                              ? PlacementProblem::kHost
                          : u.devices.empty() ? assignment.devices[node]
                                              : u.devices.front();
        assignment.devices[node] = target;
      }
    block = entry.begin;
    q = entry.numDevices;
  }
  return assignment;
}

/// Joins blocks that follow each other, so that all slices of all beginnings
/// are not too many nodes.
static std::vector<UnitBlock> joinBlocks(const std::vector<UnitBlock> &blocks,
                                         size_t numNodes) {
  size_t most =
      std::clamp(kMostNodes / (numNodes + 1), kFewBlocks, kMostBlocks);
  size_t step = (blocks.size() + most - 1) / most;
  std::vector<UnitBlock> joined;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (i % step == 0)
      joined.emplace_back();
    std::vector<unsigned> &nodes = joined.back().nodes;
    nodes.insert(nodes.end(), blocks[i].nodes.begin(), blocks[i].nodes.end());
  }
  return joined;
}

namespace {
/// Devices on which any slice takes the same, by their numbers.
class DevicesAlike {
public:
  DevicesAlike(const PlacementProblem &problem, const PlacementUnits &units,
               const std::vector<int64_t> &budgets,
               const std::vector<unsigned> &devices)
      : problem(problem), units(units), budgets(budgets),
        isNamed(problem.getNumDevices()) {
    for (const ProblemValue &value : problem.values)
      if (value.producer < 0)
        isNamed[value.device] = true;
    for (const ProblemUse &use : problem.uses)
      isNamed[use.device] = true;
    for (unsigned number = 0; number < devices.size(); ++number) {
      auto it = std::find_if(classes.begin(), classes.end(),
                             [&](const std::vector<unsigned> &known) {
                               return areAlike(devices[known.front()],
                                               devices[number]);
                             });
      if (it == classes.end())
        it = classes.insert(it, std::vector<unsigned>());
      it->push_back(number);
    }
  }

  const std::vector<std::vector<unsigned>> &getClasses() const {
    return classes;
  }

private:
  bool areAlike(unsigned a, unsigned b) const;

  const PlacementProblem &problem;
  const PlacementUnits &units;
  const std::vector<int64_t> &budgets;
  /// By device: whether a value is there in any case.
  std::vector<uint8_t> isNamed;
  std::vector<std::vector<unsigned>> classes;
};
} // namespace

bool DevicesAlike::areAlike(unsigned a, unsigned b) const {
  constexpr unsigned kHost = PlacementProblem::kHost;
  if (isNamed[a] || isNamed[b] || budgets[a] != budgets[b] ||
      problem.overlaps[a] != problem.overlaps[b])
    return false;
  for (size_t row = 0; row < problem.times.size();
       row += problem.getNumDevices())
    if (problem.times[row + a] != problem.times[row + b])
      return false;
  for (unsigned size = 0; size < problem.sizes.size(); ++size)
    if (problem.getTransferTime(size, kHost, a) !=
            problem.getTransferTime(size, kHost, b) ||
        problem.getTransferTime(size, a, kHost) !=
            problem.getTransferTime(size, b, kHost))
      return false;
  return std::all_of(units.getUnits().begin(), units.getUnits().end(),
                     [&](const PlacementUnit &unit) {
                       return unit.isAllowed(a) == unit.isAllowed(b);
                     });
}

/// Adds all slices that begin with a block, on devices that are alike.
static void addSlices(unsigned begin, const std::vector<unsigned> &numbers,
                      const std::vector<int64_t> &budgets, SliceGrower &slice,
                      std::vector<SliceTable> &tables) {
  auto isReached = [&](unsigned number) {
    return tables.front().reaches(begin, number);
  };
  if (std::none_of(numbers.begin(), numbers.end(), isReached))
    return;
  slice.begin();
  for (unsigned last = begin; last < slice.getNumBlocks(); ++last) {
    slice.grow(last);
    if (slice.getBytes() > budgets[slice.getDevice()])
      return;
    for (unsigned number : numbers)
      for (SliceTable &table : tables)
        table.add(begin, last + 1, number, slice);
  }
}

std::vector<PlacementAssignment> mlir::hetero::placeBySlices(
    const PlacementProblem &problem, const ProblemLists &lists,
    const PlacementUnits &units, const std::vector<UnitBlock> &allBlocks,
    const PlacementAssignment &start, const std::vector<int64_t> &budgets,
    const std::vector<SliceGoal> &goals) {
  std::vector<UnitBlock> blocks = joinBlocks(allBlocks, problem.nodes.size());
  std::vector<unsigned> devices;
  for (unsigned device = 0; device < problem.getNumDevices(); ++device)
    if (device != PlacementProblem::kHost &&
        std::any_of(
            units.getUnits().begin(), units.getUnits().end(),
            [&](const PlacementUnit &unit) { return unit.isAllowed(device); }))
      devices.push_back(device);
  DevicesAlike alike(problem, units, budgets, devices);
  std::vector<SliceGrower> growers;
  for (const std::vector<unsigned> &numbers : alike.getClasses())
    growers.emplace_back(problem, lists, units, blocks,
                         devices[numbers.front()]);
  std::vector<SliceTable> tables;
  for (SliceGoal goal : goals)
    tables.emplace_back(problem, units, blocks, devices, goal);
  for (unsigned block = 0; block < blocks.size(); ++block) {
    for (SliceTable &table : tables)
      table.pass(block);
    for (size_t i = 0; i < growers.size(); ++i)
      addSlices(block, alike.getClasses()[i], budgets, growers[i], tables);
  }
  // The last devices may be empty.
  std::vector<PlacementAssignment> placements;
  for (SliceTable &table : tables)
    placements.push_back(table.read(start));
  return placements;
}
