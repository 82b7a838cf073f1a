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
/// Of a longer order several consecutive blocks are one.
static constexpr size_t kMostBlocks = 2000;

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

  /// Takes all slices that begin with the block.
  void extend(unsigned block, std::vector<SliceGrower> &growers,
              const std::vector<int64_t> &budgets);
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

void SliceTable::extend(unsigned block, std::vector<SliceGrower> &growers,
                        const std::vector<int64_t> &budgets) {
  // A device may stay empty, and a block may be on the host.
  for (unsigned q = 0; q < devices.size(); ++q)
    consider(block, q + 1, {at(block, q).cost, block, q, false});
  double onHost = getHostTime(block);
  for (unsigned q = 0; q <= devices.size(); ++q)
    consider(block + 1, q, {join(at(block, q).cost, onHost), block, q, false});
  for (unsigned q = 0; q < devices.size(); ++q) {
    double before = at(block, q).cost;
    if (before == kInfinite)
      continue;
    SliceGrower &grower = growers[q];
    grower.begin();
    for (unsigned last = block; last < blocks.size(); ++last) {
      grower.grow(last);
      if (grower.getBytes() > budgets[devices[q]])
        break;
      consider(last + 1, q + 1,
               {join(before, grower.getCost(goal)), block, q, true});
    }
  }
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

/// Joins blocks that follow each other, so that there are not too many.
static std::vector<UnitBlock> joinBlocks(const std::vector<UnitBlock> &blocks) {
  size_t step = (blocks.size() + kMostBlocks - 1) / kMostBlocks;
  std::vector<UnitBlock> joined;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (i % step == 0)
      joined.emplace_back();
    std::vector<unsigned> &nodes = joined.back().nodes;
    nodes.insert(nodes.end(), blocks[i].nodes.begin(), blocks[i].nodes.end());
  }
  return joined;
}

PlacementAssignment mlir::hetero::placeBySlices(
    const PlacementProblem &problem, const ProblemLists &lists,
    const PlacementUnits &units, const std::vector<UnitBlock> &allBlocks,
    const PlacementAssignment &start, const std::vector<int64_t> &budgets,
    SliceGoal goal) {
  std::vector<UnitBlock> blocks = joinBlocks(allBlocks);
  std::vector<unsigned> devices;
  for (unsigned device = 0; device < problem.getNumDevices(); ++device)
    if (device != PlacementProblem::kHost &&
        std::any_of(
            units.getUnits().begin(), units.getUnits().end(),
            [&](const PlacementUnit &unit) { return unit.isAllowed(device); }))
      devices.push_back(device);
  std::vector<SliceGrower> growers;
  growers.reserve(devices.size());
  for (unsigned device : devices)
    growers.emplace_back(problem, lists, units, blocks, device);
  SliceTable table(problem, units, blocks, devices, goal);
  for (unsigned block = 0; block < blocks.size(); ++block)
    table.extend(block, growers, budgets);
  // The last devices may be empty.
  return table.read(start);
}
