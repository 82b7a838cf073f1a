//===- ListPlacement.cpp - Placements by list scheduling ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListPlacement.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir::hetero;
using llvm::SmallVector;

namespace {
class ListPlacer {
public:
  ListPlacer(const LatencyNetwork &network, ListRule rule)
      : network(network), problem(network.problem), timeline(network),
        rule(rule), numDevices(problem.numDevices),
        isPlaced(problem.getNumUnits(), false), room(problem.budgets) {
    for (unsigned unit = 0; unit < isPlaced.size(); ++unit)
      solution.push_back(findAllowed(unit));
  }

  LatencySolution run();

private:
  unsigned findAllowed(unsigned unit) const;
  void findWays();
  SmallVector<unsigned, 0> getOrder() const;
  unsigned choose(unsigned item) const;

  const LatencyNetwork &network;
  const LatencyProblem &problem;
  LatencyTimeline timeline;
  ListRule rule;
  unsigned numDevices;
  SmallVector<uint8_t, 0> isPlaced;
  SmallVector<int64_t> room;
  LatencySolution solution;
  /// By item * devices + device: the fastest way from its end there to the end
  /// of its segment.
  SmallVector<int64_t, 0> ways;
};
} // namespace

unsigned ListPlacer::findAllowed(unsigned unit) const {
  for (unsigned device = 0; device < numDevices; ++device)
    if (network.isAllowed(unit, device))
      return device;
  return 0;
}

/// The optimistic cost table.
void ListPlacer::findWays() {
  ways.assign(problem.items.size() * numDevices, 0);
  for (size_t index = problem.items.size(); index-- != 0;)
    for (unsigned device = 0; device < numDevices; ++device) {
      int64_t &way = ways[index * numDevices + device];
      for (unsigned value : problem.items[index].results) {
        for (unsigned target : problem.values[value].needed)
          way = std::max(way, network.getCopyTime(value, device, target));
        for (unsigned reader : network.readers[value]) {
          if (reader <= index || network.runs[reader] != network.runs[index])
            continue;
          int64_t least = LatencyProblem::kNever;
          for (unsigned to = 0; to < numDevices; ++to)
            if (network.isAllowed(problem.units[reader], to))
              least = std::min(
                  least, addUp(addUp(network.getCopyTime(value, device, to),
                                     problem.getTime(reader, to)),
                               ways[reader * numDevices + to]));
          way = std::max(way, least);
        }
      }
    }
}

/// By the mean over devices of an item's time and the way after it.
SmallVector<unsigned, 0> ListPlacer::getOrder() const {
  SmallVector<double, 0> ranks;
  for (size_t index = 0; index < problem.items.size(); ++index) {
    double sum = 0;
    unsigned count = 0;
    for (unsigned device = 0; device < numDevices; ++device)
      if (network.isAllowed(problem.units[index], device)) {
        sum += double(problem.getTime(index, device)) +
               double(ways[index * numDevices + device]);
        ++count;
      }
    ranks.push_back(count ? sum / count : 0);
  }
  // An item comes after what it needs, whatever the means say.
  for (size_t index = problem.items.size(); index-- != 0;)
    for (unsigned value : problem.items[index].results)
      for (unsigned reader : network.readers[value])
        if (reader > index && network.runs[reader] == network.runs[index])
          ranks[index] = std::max(ranks[index], ranks[reader]);
  SmallVector<unsigned, 0> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::tuple(network.runs[a], -ranks[a], a) <
           std::tuple(network.runs[b], -ranks[b], b);
  });
  return order;
}

/// Where its unit goes; without room, to where the most is left.
unsigned ListPlacer::choose(unsigned item) const {
  unsigned unit = problem.units[item], best = solution[unit];
  std::tuple<bool, int64_t, int64_t> bestKey{true, LatencyProblem::kNever,
                                             LatencyProblem::kNever};
  for (unsigned device = 0; device < numDevices; ++device) {
    if (!network.isAllowed(unit, device))
      continue;
    bool isFull = network.weights[unit] > room[device];
    int64_t end = timeline.estimate(item, device, solution);
    int64_t total = rule == ListRule::EarliestEnd
                        ? end
                        : addUp(end, ways[item * numDevices + device]);
    std::tuple key(isFull, isFull ? -room[device] : total, end);
    if (key < bestKey) {
      bestKey = key;
      best = device;
    }
  }
  return best;
}

LatencySolution ListPlacer::run() {
  findWays();
  for (unsigned item : getOrder()) {
    unsigned unit = problem.units[item];
    if (!isPlaced[unit]) {
      isPlaced[unit] = true;
      solution[unit] = choose(item);
      room[solution[unit]] -= network.weights[unit];
    }
    timeline.run(item, solution);
  }
  return std::move(solution);
}

LatencySolution mlir::hetero::placeByList(const LatencyNetwork &network,
                                          ListRule rule) {
  return ListPlacer(network, rule).run();
}
