//===- PlainLatency.cpp - How long plain programs take --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time of one request by placements of a PlainProgram: tasks as the
// schedule of the compiled program would have them, each segment with the best
// schedule.
//
//===----------------------------------------------------------------------===//

#include "PlainPrice.h"
#include "PlainSchedule.h"

#include <array>
#include <map>
#include <utility>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::test;

namespace mlir::hetero::test {
/// The tasks of a placement, by segment.
class PlainSchedule {
public:
  explicit PlainSchedule(const PlainProgram &program)
      : program(program), segments(program.numSegments),
        lastOfDevice(program.numSegments * program.topology.size()) {
    addCopies();
    for (unsigned op = 0; op < program.ops.size(); ++op)
      for (unsigned device = 0; device < program.topology.size(); ++device)
        if (!program.ops[op].isCarrier && program.runsOn(op, device))
          addOp(op, device);
    for (auto [segment, task, op, device] : late)
      if (auto it = tasksOfOps.find({op, device}); it != tasksOfOps.end())
        segments[segment][task].needs.push_back(it->second);
  }

  LeastLatency run(int64_t limit) const;

private:
  using Value = PlainProgram::Value;

  void addCopies();
  void addCopies(unsigned value, unsigned from, unsigned to);
  void addCopy(unsigned value, unsigned from, unsigned to, int64_t bytes,
               unsigned block, unsigned segment);
  void addOp(unsigned op, unsigned device);
  std::optional<unsigned> findCopy(unsigned value, unsigned device,
                                   unsigned segment) const;
  SmallVector<unsigned, 2> getEngines(unsigned from, unsigned to) const;
  bool isMadeIn(const Value &value, unsigned segment) const {
    return value.producer >= 0 && !program.ops[value.producer].isCarrier &&
           program.ops[value.producer].segment == segment;
  }

  const PlainProgram &program;
  std::vector<SmallVector<PlainTask>> segments;
  /// By segment and device.
  std::vector<std::optional<unsigned>> lastOfDevice;
  /// By value, destination and segment.
  std::map<std::array<unsigned, 3>, unsigned> copies;
  /// Copies of whole values by value, block and ends of a link.
  std::map<std::array<unsigned, 4>, unsigned> crossings;
  std::map<std::pair<unsigned, unsigned>, unsigned> tasksOfOps;
  /// Copies, and the operations that they wait for.
  SmallVector<std::array<unsigned, 4>> late;
};
} // namespace mlir::hetero::test

/// Three of each device: one computes, one copies in and one out. After these
/// come the links between two nodes, whose hosts have none that copies.
SmallVector<unsigned, 2> PlainSchedule::getEngines(unsigned from,
                                                   unsigned to) const {
  SmallVector<unsigned, 2> engines;
  auto add = [&](unsigned end, unsigned copies) {
    if (!program.topology.overlapsCopies(end))
      engines.push_back(3 * end);
    else if (!program.topology.getDevice(end).isHostOfNode())
      engines.push_back(3 * end + copies);
  };
  unsigned count = program.topology.size();
  if (program.topology.getDevice(from).getNode() !=
      program.topology.getDevice(to).getNode())
    engines.push_back(3 * count + from * count + to);
  add(from, 2);
  add(to, 1);
  return engines;
}

/// Over one link after the other, but for those that the value has crossed.
void PlainSchedule::addCopy(unsigned value, unsigned from, unsigned to,
                            int64_t bytes, unsigned block, unsigned segment) {
  const Value &v = program.values[value];
  bool isWhole = bytes == v.bytes;
  SmallVector<DeviceIndex> stops = program.topology.getStops(from, to);
  stops.push_back(to);
  std::optional<unsigned> last;
  for (unsigned stop : stops) {
    std::array<unsigned, 4> link{value, block, std::exchange(from, stop), stop};
    auto crossed = crossings.find(link);
    if (isWhole && crossed != crossings.end()) {
      last = crossed->second;
      continue;
    }
    int64_t time =
        repeat(program.topology.getTransferTime(link[2], stop, bytes),
               program.blocks[block].frequency);
    PlainTask task{time, {}, {}};
    if (time != 0)
      task.engines = getEngines(link[2], stop);
    unsigned number = segments[segment].size();
    if (last)
      task.needs.push_back(*last);
    else if (isMadeIn(v, segment))
      late.push_back({segment, number, unsigned(v.producer), link[2]});
    segments[segment].push_back(std::move(task));
    if (isWhole)
      crossings[link] = number;
    last = number;
  }
  if (isWhole)
    copies[{value, to, segment}] = *last;
}

/// As `priceValue`, but the copies and not their price: outer blocks first, in
/// each one copy or what the blocks inside need.
void PlainSchedule::addCopies(unsigned index, unsigned from, unsigned to) {
  const Value &value = program.values[index];
  const auto &blocks = program.blocks;
  int64_t time = program.topology.getTransferTime(from, to, value.bytes);
  SmallVector<bool> isUsed(blocks.size()), isBelow(blocks.size()),
      isServed(blocks.size());
  SmallVector<int64_t> inside(blocks.size());
  for (auto [reader, block] : value.readers)
    if (program.runsOn(reader, to))
      isUsed[block] = true;
  for (auto [device, block] : value.fixed)
    if (device == to)
      isUsed[block] = true;
  auto getElementTime = [&](unsigned block) {
    return repeat(program.topology.getTransferTime(from, to, 4),
                  blocks[block].frequency);
  };
  if (to == Topology::kHost)
    for (unsigned block : value.elements) {
      inside[block] = addTimes(inside[block], getElementTime(block));
      isBelow[block] = true;
    }
  SmallVector<bool> copiesHere(blocks.size());
  for (unsigned block = blocks.size() - 1;; --block) {
    isBelow[block] = isBelow[block] || isUsed[block];
    int64_t here = repeat(time, blocks[block].frequency);
    copiesHere[block] =
        isUsed[block] || (isBelow[block] && here <= inside[block]);
    if (block == value.block)
      break;
    unsigned parent = blocks[block].parent;
    inside[parent] =
        addTimes(inside[parent], copiesHere[block] ? here : inside[block]);
    isBelow[parent] = isBelow[parent] || isBelow[block];
  }
  for (unsigned block = value.block; block < blocks.size(); ++block) {
    if (block != value.block)
      isServed[block] = isServed[blocks[block].parent];
    if (isServed[block] || !copiesHere[block])
      continue;
    isServed[block] = true;
    unsigned segment =
        block == value.block ? value.segment : program.firstSegments[block];
    addCopy(index, from, to, value.bytes, block, segment);
  }
  if (to == Topology::kHost)
    for (auto [block, segment] :
         llvm::zip_equal(value.elements, value.elementSegments))
      if (!isServed[block])
        addCopy(index, from, to, 4, block, segment);
}

void PlainSchedule::addCopies() {
  for (auto [index, value] : llvm::enumerate(program.values)) {
    if (value.producer >= 0 && program.ops[value.producer].isReplicable)
      continue;
    unsigned from =
        value.producer < 0 ? value.device : program.ops[value.producer].device;
    for (unsigned to = 0; to < program.topology.size(); ++to)
      if (to != from)
        addCopies(index, from, to);
  }
}

std::optional<unsigned> PlainSchedule::findCopy(unsigned value, unsigned device,
                                                unsigned segment) const {
  auto it = copies.find({value, device, segment});
  return it == copies.end() ? std::nullopt : std::optional(it->second);
}

void PlainSchedule::addOp(unsigned index, unsigned device) {
  const PlainProgram::Op &op = program.ops[index];
  PlainTask task{op.times[device], {}, {}};
  unsigned number = segments[op.segment].size();
  for (unsigned read : op.reads) {
    const Value &value = program.values[read];
    if (isMadeIn(value, op.segment) && program.runsOn(value.producer, device))
      task.needs.push_back(tasksOfOps.at({unsigned(value.producer), device}));
    else if (auto copy = findCopy(read, device, op.segment))
      task.needs.push_back(*copy);
  }
  if (task.time != 0) {
    task.engines.push_back(3 * device);
    auto &last = lastOfDevice[op.segment * program.topology.size() + device];
    bool isHost = program.topology.getDevice(device).isHostOfNode();
    if (isHost && last)
      task.needs.push_back(*last);
    if (isHost)
      last = number;
  }
  tasksOfOps[{index, device}] = number;
  segments[op.segment].push_back(std::move(task));
}

LeastLatency PlainSchedule::run(int64_t limit) const {
  SmallVector<int64_t> bounds;
  int64_t all = 0;
  for (ArrayRef<PlainTask> tasks : segments) {
    for (const PlainTask &task : tasks)
      if (task.time == INT64_MAX)
        return {};
    bounds.push_back(boundPlainly(tasks));
    all += bounds.back();
  }
  LeastLatency result{0, true};
  for (auto [tasks, bound] : llvm::zip_equal(segments, bounds)) {
    if (all >= limit)
      return {INT64_MAX, result.isExact};
    PlainMakespan makespan = scheduleExactly(tasks, limit - all + bound);
    result.isExact &= makespan.isExact;
    if (makespan.makespan == INT64_MAX)
      return {INT64_MAX, result.isExact};
    all += makespan.makespan - bound;
    result.latency += makespan.makespan;
  }
  return result;
}

LeastLatency PlainProgram::enumerateLatency(int64_t limit) {
  LeastLatency least;
  forEachPlacement([&](ArrayRef<unsigned> devices) {
    if (!isMadeOnce(devices))
      return;
    setDevices(devices);
    LeastLatency one = PlainSchedule(*this).run(std::min(limit, least.latency));
    least.latency = std::min(least.latency, one.latency);
    least.isExact &= one.isExact;
  });
  return least;
}
