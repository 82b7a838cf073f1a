//===- PlacementUnits.cpp - What moves together, in order -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementUnits.h"

#include <algorithm>
#include <queue>

using namespace mlir::hetero;

bool PlacementUnit::isAllowed(unsigned device) const {
  return std::binary_search(devices.begin(), devices.end(), device);
}

PlacementUnits::PlacementUnits(const PlacementProblem &problem,
                               const ProblemLists &lists,
                               const PlacementAssignment &assignment)
    : problem(problem), assignment(assignment),
      unitOfNode(problem.nodes.size(), kNone), reads(problem.nodes.size()),
      blockOfNode(problem.nodes.size(), kNone) {
  findUnits();
  findReads(lists);
  findBlocks();
}

void PlacementUnits::findUnits() {
  std::vector<unsigned> unitOfGroup;
  for (unsigned node = 0; node < problem.nodes.size(); ++node) {
    const ProblemNode &n = problem.nodes[node];
    if ((!n.isOpen && !n.mayRepeat) || assignment.isReplicated[node])
      continue;
    unsigned unit = units.size();
    if (n.group >= 0) {
      if (size_t(n.group) >= unitOfGroup.size())
        unitOfGroup.resize(n.group + 1, kNone);
      unsigned &known = unitOfGroup[n.group];
      unit = known = known == kNone ? unit : known;
    }
    if (unit == units.size())
      units.emplace_back();
    units[unit].nodes.push_back(node);
    unitOfNode[node] = unit;
  }
  for (PlacementUnit &unit : units)
    for (unsigned device = 0; device < problem.getNumDevices(); ++device)
      if (std::all_of(unit.nodes.begin(), unit.nodes.end(), [&](unsigned node) {
            return problem.isAllowed(node, device);
          }))
        unit.devices.push_back(device);
}

void PlacementUnits::findReads(const ProblemLists &lists) {
  std::vector<unsigned> worklist, seen(problem.nodes.size(), kNone);
  for (unsigned node = 0; node < problem.nodes.size(); ++node) {
    if (assignment.isReplicated[node])
      continue;
    worklist.assign(1, node);
    while (!worklist.empty()) {
      unsigned reader = worklist.back();
      worklist.pop_back();
      for (unsigned read : lists.readsOfNode.get(reader)) {
        unsigned value = problem.reads[read].value;
        int64_t producer = problem.values[value].producer;
        bool isMadeAgain = producer >= 0 && assignment.isReplicated[producer];
        if (!isMadeAgain || problem.memory.values[value].constant >= 0)
          reads[node].push_back(value);
        if (!isMadeAgain || seen[producer] == node)
          continue;
        seen[producer] = node;
        worklist.push_back(unsigned(producer));
      }
    }
    std::sort(reads[node].begin(), reads[node].end());
    reads[node].erase(std::unique(reads[node].begin(), reads[node].end()),
                      reads[node].end());
  }
}

namespace {
/// Strongly connected components of a graph (R. Tarjan, "Depth-first search and
/// linear graph algorithms", 1972), without recursion.
class ComponentFinder {
public:
  explicit ComponentFinder(const std::vector<std::vector<unsigned>> &next)
      : next(next), index(next.size(), 0), low(next.size(), 0),
        component(next.size(), kNone) {}

  /// By vertex. What a component leads to has smaller numbers.
  std::vector<unsigned> run() {
    for (unsigned root = 0; root < next.size(); ++root)
      if (index[root] == 0)
        visit(root);
    return std::move(component);
  }
  unsigned count = 0;

private:
  static constexpr unsigned kNone = PlacementUnits::kNone;

  void enter(unsigned vertex) {
    index[vertex] = low[vertex] = ++numSeen;
    open.push_back(vertex);
    way.push_back({vertex, 0});
  }
  void leave(unsigned vertex) {
    way.pop_back();
    if (!way.empty()) {
      unsigned above = way.back().first;
      low[above] = std::min(low[above], low[vertex]);
    }
    if (low[vertex] != index[vertex])
      return;
    unsigned member;
    do {
      member = open.back();
      open.pop_back();
      component[member] = count;
    } while (member != vertex);
    ++count;
  }
  void visit(unsigned root) {
    enter(root);
    while (!way.empty()) {
      auto &[vertex, edge] = way.back();
      if (edge == next[vertex].size()) {
        leave(vertex);
        continue;
      }
      unsigned from = vertex, to = next[from][edge++];
      if (index[to] == 0)
        enter(to);
      else if (component[to] == kNone)
        low[from] = std::min(low[from], index[to]);
    }
  }

  const std::vector<std::vector<unsigned>> &next;
  std::vector<unsigned> index, low, component, open;
  std::vector<std::pair<unsigned, size_t>> way;
  unsigned numSeen = 0;
};
} // namespace

void PlacementUnits::findBlocks() {
  // All of a unit are the vertex of its first node.
  auto getVertex = [&](unsigned node) {
    unsigned unit = unitOfNode[node];
    return unit == kNone ? node : units[unit].nodes.front();
  };
  std::vector<std::vector<unsigned>> next(problem.nodes.size());
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    for (unsigned value : reads[node]) {
      int64_t producer = problem.values[value].producer;
      if (producer < 0 || assignment.isReplicated[producer])
        continue;
      unsigned from = getVertex(unsigned(producer)), to = getVertex(node);
      if (from != to)
        next[from].push_back(to);
    }
  ComponentFinder finder(next);
  std::vector<unsigned> components = finder.run();
  // Components that only hold what is replicated, or others' nodes, are none.
  std::vector<unsigned> ranks(finder.count, kNone);
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    if (!assignment.isReplicated[node])
      ranks[components[getVertex(node)]] = 0;
  for (unsigned component = finder.count; component-- != 0;)
    if (ranks[component] != kNone)
      ranks[component] = numBlocks++;
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    if (!assignment.isReplicated[node])
      blockOfNode[node] = ranks[components[getVertex(node)]];
}

std::vector<UnitBlock>
PlacementUnits::makeBlocks(const std::vector<unsigned> &ranks) const {
  std::vector<UnitBlock> blocks(numBlocks);
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    if (blockOfNode[node] != kNone)
      blocks[ranks[blockOfNode[node]]].nodes.push_back(node);
  return blocks;
}

std::vector<UnitBlock> PlacementUnits::getBlocksAlongWays() const {
  std::vector<unsigned> ranks(numBlocks);
  for (unsigned block = 0; block < numBlocks; ++block)
    ranks[block] = block;
  return makeBlocks(ranks);
}

/// Of the blocks whose needs are met always the one that begins first.
std::vector<UnitBlock> PlacementUnits::getBlocksInProgramOrder() const {
  std::vector<std::vector<unsigned>> next(numBlocks);
  std::vector<unsigned> numNeeds(numBlocks, 0), first(numBlocks, kNone);
  for (unsigned node = problem.nodes.size(); node-- != 0;) {
    unsigned to = blockOfNode[node];
    if (to == kNone)
      continue;
    first[to] = node;
    for (unsigned value : reads[node]) {
      int64_t producer = problem.values[value].producer;
      if (producer < 0 || blockOfNode[producer] == kNone ||
          blockOfNode[producer] == to)
        continue;
      next[blockOfNode[producer]].push_back(to);
      ++numNeeds[to];
    }
  }
  using Entry = std::pair<unsigned, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
  for (unsigned block = 0; block < numBlocks; ++block)
    if (numNeeds[block] == 0)
      ready.push({first[block], block});
  std::vector<unsigned> ranks(numBlocks, 0);
  for (unsigned rank = 0; !ready.empty(); ++rank) {
    unsigned block = ready.top().second;
    ready.pop();
    ranks[block] = rank;
    for (unsigned later : next[block])
      if (--numNeeds[later] == 0)
        ready.push({first[later], later});
  }
  return makeBlocks(ranks);
}
