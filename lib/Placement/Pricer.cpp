//===- Pricer.cpp - What an assignment costs ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pricer.h"

#include <algorithm>

using namespace mlir::hetero;

Pricer::Pricer(const PlacementProblem &problem, const ProblemLists &lists,
               PlacementAssignment start)
    : problem(problem), lists(lists), assignment(std::move(start)),
      numDevices(problem.getNumDevices()), sites(problem.blocks),
      wants(problem.nodes.size() * numDevices, 0),
      copies(problem.values.size()), loads(numDevices),
      links(size_t(numDevices) * numDevices),
      isStale(problem.values.size(), false), uses(numDevices) {
  for (const ProblemRead &read : problem.reads)
    if (!assignment.isReplicated[read.node])
      want(read.value, assignment.devices[read.node], 1);
  for (const ProblemUse &use : problem.uses)
    want(use.value, use.device, 1);
  for (const ProblemPart &part : problem.parts)
    want(part.value, PlacementProblem::kHost, 1);
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    if (!assignment.isReplicated[node])
      addNode(node, assignment.devices[node], 1);
  for (unsigned value : stale)
    isStale[value] = false;
  stale.clear();
  for (unsigned value = 0; value < problem.values.size(); ++value)
    addCopies(value);
  findOwnLinks();
}

void Pricer::findOwnLinks() {
  for (unsigned from = 0; from < numDevices; ++from)
    for (unsigned to = 0; to < numDevices; ++to)
      if (size_t link = size_t(from) * numDevices + to;
          problem.next[link] == int64_t(to) && problem.overlaps[from] &&
          problem.overlaps[to])
        ownLinks.push_back(link);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// What a node takes on a device, or no longer.
void Pricer::addNode(unsigned node, unsigned device, int sign) {
  // What is carried takes no time.
  if (problem.nodes[node].kind != ProblemNodeKind::Timed)
    return;
  int64_t time = problem.getTime(node, device);
  sum.add(time, sign);
  loads[device].add(time, sign);
}

/// A value is needed on a device by one more, or one less. What makes it again
/// there needs its own operands there.
void Pricer::want(unsigned first, unsigned device, int count) {
  worklist.push_back({first, device});
  while (!worklist.empty()) {
    unsigned value = worklist.back().first;
    worklist.pop_back();
    if (!isStale[value]) {
      isStale[value] = true;
      stale.push_back(value);
    }
    int64_t node = problem.values[value].producer;
    if (node < 0 || !assignment.isReplicated[node] ||
        device == PlacementAssignment::kUndecided)
      continue;
    unsigned &wanted = wants[size_t(node) * numDevices + device];
    bool wasThere = wanted != 0;
    wanted += count;
    // It is made for the first that needs it and goes with the last.
    if (wasThere == (wanted != 0))
      continue;
    addNode(node, device, count);
    for (unsigned read : lists.readsOfNode.get(node))
      worklist.push_back({problem.reads[read].value, device});
  }
}

void Pricer::markResults(unsigned node) {
  for (unsigned value : lists.resultsOfNode.get(node))
    if (!isStale[value]) {
      isStale[value] = true;
      stale.push_back(value);
    }
}

/// All that need the results of what begins or ends to be replicated want it
/// where they are.
void Pricer::changeReplicas(unsigned node, int count) {
  for (unsigned value : lists.resultsOfNode.get(node)) {
    for (unsigned read : lists.readsOfValue.get(value))
      for (unsigned device = 0; device < numDevices; ++device)
        if (isOn(problem.reads[read].node, device))
          want(value, device, count);
    for (unsigned use : lists.usesOfValue.get(value))
      want(value, problem.uses[use].device, count);
    for (size_t part = lists.partsOfValue.get(value).size(); part != 0; --part)
      want(value, PlacementProblem::kHost, count);
  }
}

/// The node is no longer where it is.
void Pricer::leave(unsigned node) {
  if (assignment.isReplicated[node]) {
    changeReplicas(node, -1);
  } else {
    addNode(node, assignment.devices[node], -1);
    for (unsigned read : lists.readsOfNode.get(node))
      want(problem.reads[read].value, assignment.devices[node], -1);
  }
  markResults(node);
}

void Pricer::enter(unsigned node) {
  if (assignment.isReplicated[node]) {
    changeReplicas(node, 1);
  } else {
    addNode(node, assignment.devices[node], 1);
    for (unsigned read : lists.readsOfNode.get(node))
      want(problem.reads[read].value, assignment.devices[node], 1);
  }
  markResults(node);
}

void Pricer::set(unsigned node, unsigned device, bool isReplicated) {
  bool wasReplicated = assignment.isReplicated[node];
  if (isReplicated && wasReplicated)
    return;
  if (wasReplicated == isReplicated && assignment.devices[node] == device)
    return;
  leave(node);
  assignment.devices[node] = device;
  assignment.isReplicated[node] = isReplicated;
  enter(node);
  update();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Chooses the copies again of all that a move has touched.
void Pricer::update() {
  for (unsigned value : stale) {
    isStale[value] = false;
    removeCopies(value);
    addCopies(value);
  }
  stale.clear();
}

void Pricer::removeCopies(unsigned value) {
  if (copies[value].empty())
    return;
  chargeCopies(value, -1);
  copies[value].clear();
}

void Pricer::addUse(unsigned device, unsigned block) {
  std::vector<unsigned> &blocks = uses[device];
  if (blocks.empty())
    needed.push_back(device);
  if (blocks.empty() || blocks.back() != block)
    blocks.push_back(block);
}

/// The blocks that need the value, by device.
void Pricer::collectUses(unsigned value) {
  for (unsigned device : needed)
    uses[device].clear();
  needed.clear();
  for (unsigned index : lists.readsOfValue.get(value)) {
    const ProblemRead &read = problem.reads[index];
    if (!assignment.isReplicated[read.node]) {
      addUse(assignment.devices[read.node], read.block);
      continue;
    }
    for (unsigned device = 0; device < numDevices; ++device)
      if (isOn(read.node, device))
        addUse(device, read.block);
  }
  for (unsigned use : lists.usesOfValue.get(value))
    addUse(problem.uses[use].device, problem.uses[use].block);
  // What only parts are read of is copied without a use.
  if (!lists.partsOfValue.get(value).empty() &&
      uses[PlacementProblem::kHost].empty())
    needed.push_back(PlacementProblem::kHost);
  std::sort(needed.begin(), needed.end());
}

void Pricer::addCopies(unsigned value) {
  numSteps += 1 + lists.readsOfValue.get(value).size();
  if (assignment.isValueReplicated(problem, value))
    return;
  collectUses(value);
  unsigned from = assignment.getValueDevice(problem, value);
  for (unsigned to : needed)
    if (to != from)
      addCopiesTo(value, from, to);
  if (!copies[value].empty())
    chargeCopies(value, 1);
}

void Pricer::addCopiesTo(unsigned value, unsigned from, unsigned to) {
  partialUses.clear();
  if (to == PlacementProblem::kHost)
    for (unsigned index : lists.partsOfValue.get(value)) {
      const ProblemPart &part = problem.parts[index];
      int64_t time =
          problem.getTransferTime(part.size, from, PlacementProblem::kHost);
      partialUses.push_back({part.block, problem.scale(time, part.block)});
    }
  const ProblemValue &v = problem.values[value];
  int64_t time = problem.getTransferTime(v.size, from, to);
  for (unsigned block : sites.choose(v.block, uses[to], time, partialUses))
    copies[value].push_back({value, from, to, block, problem.sizes[v.size],
                             problem.scale(time, block), -1});
  if (partialUses.empty())
    return;
  size_t number = 0;
  for (unsigned index : lists.partsOfValue.get(value)) {
    const PartialUse &use = partialUses[number++];
    if (!sites.isServed(use.block))
      copies[value].push_back({value, from, to, use.block,
                               problem.sizes[problem.parts[index].size],
                               use.time, int64_t(index)});
  }
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

void Pricer::chargeLink(unsigned from, unsigned to, const ProblemCopy &copy,
                        int sign) {
  size_t link = size_t(from) * numDevices + to;
  // What another copy of the value in the block has brought that far is not
  // brought again.
  if (copy.part < 0) {
    std::pair<size_t, unsigned> crossing(link, copy.block);
    if (std::find(crossed.begin(), crossed.end(), crossing) != crossed.end())
      return;
    crossed.push_back(crossing);
  }
  unsigned size = copy.part < 0 ? problem.values[copy.value].size
                                : problem.parts[copy.part].size;
  int64_t time =
      problem.scale(problem.getTransferTime(size, from, to), copy.block);
  links[link].add(time, sign);
  for (unsigned end : {from, to})
    if (!problem.overlaps[end])
      loads[end].add(time, sign);
}

void Pricer::chargeCopies(unsigned value, int sign) {
  crossed.clear();
  for (const ProblemCopy &copy : copies[value]) {
    sum.add(copy.time, sign);
    unsigned from = copy.from;
    while (from != copy.to) {
      int64_t stop = problem.next[size_t(from) * numDevices + copy.to];
      // No way leads there.
      if (stop < 0)
        stop = copy.to;
      chargeLink(from, unsigned(stop), copy, sign);
      from = unsigned(stop);
    }
  }
}

int64_t Pricer::getLargestLoad() const {
  int64_t largest = 0;
  for (const ExactTime &load : loads)
    largest = std::max(largest, load.get());
  for (const ExactTime &load : links)
    largest = std::max(largest, load.get());
  return largest;
}

double Pricer::getPressure(double reference) const {
  double sum = 0;
  auto add = [&](const ExactTime &load) {
    double part = double(load.get()) / reference;
    double third = part * part * part, sixth = third * third;
    sum += sixth * sixth;
  };
  for (const ExactTime &load : loads)
    add(load);
  for (unsigned link : ownLinks)
    add(links[link]);
  return sum;
}
