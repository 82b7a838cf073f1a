//===- LatencySearch.cpp - Places work that overlaps ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983, Science 220) from
// the best start. A move takes a unit, one on the critical way more often than
// not, or several around it, to another device, often that of a neighbour.
// Items start in the order of their ways to the end, which is found anew from
// time to time.
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/LatencySearch.h"

#include "ListPlacement.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <random>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Items, reads and results that all moves together may go over, and moves.
static constexpr size_t kMostSteps = 60'000'000, kMostChanges = 60'000;
static constexpr size_t kChangesPerUnit = 400;
/// Moves between two orders, and temperatures.
static constexpr size_t kChangesPerOrder = 64;
/// Temperatures, as parts of the time, at first and at last.
static constexpr double kHottest = 0.01, kColdest = 1e-5;
/// Most units that move together.
static constexpr unsigned kMostUnits = 40;

namespace {
class LatencyAnnealer {
public:
  explicit LatencyAnnealer(const LatencyProblem &problem)
      : problem(problem), network(problem), timeline(network),
        taken(problem.getNumUnits(), 0) {
    for (unsigned unit = 0; unit < problem.getNumUnits(); ++unit) {
      unsigned count = 0;
      for (unsigned device = 0; device < problem.numDevices; ++device)
        count += network.isAllowed(unit, device);
      if (count > 1)
        movable.push_back(unit);
    }
  }

  void offer(const LatencySolution &solution);
  void offerLists();
  void anneal();

  /// Solutions that were the best, in order.
  SmallVector<LatencySolution> found;

private:
  void reorder();
  void findCritical();
  void tryMove(double temperature);
  unsigned pickUnit();
  unsigned pickDevice(unsigned unit);
  void collect(unsigned unit);
  void add(unsigned unit, unsigned home, unsigned limit);
  bool move(unsigned device);
  size_t pick(size_t count) { return random() % count; }
  double pickPart() { return double(random() >> 11) * 0x1p-53; }

  const LatencyProblem &problem;
  LatencyNetwork network;
  LatencyTimeline timeline;
  std::mt19937_64 random;
  SmallVector<unsigned, 0> movable, order, critical;
  LatencySolution current;
  int64_t latency = LatencyProblem::kNever, best = LatencyProblem::kNever;
  SmallVector<int64_t> sums;
  /// Units that move together, their devices before, and the move that took
  /// each unit.
  SmallVector<unsigned, kMostUnits> together;
  SmallVector<size_t, 0> taken;
  size_t now = 0;
};
} // namespace

void LatencyAnnealer::offer(const LatencySolution &solution) {
  if (!network.fits(solution))
    return;
  int64_t end = timeline.runAll(network.getOrder(solution), solution,
                                LatencyProblem::kNever);
  if (end >= best)
    return;
  best = end;
  found.push_back(solution);
}

void LatencyAnnealer::offerLists() {
  for (ListRule rule : {ListRule::EarliestEnd, ListRule::EarliestWay})
    offer(placeByList(network, rule));
}

/// Takes the order of what is there now, if that is no worse.
void LatencyAnnealer::reorder() {
  SmallVector<unsigned, 0> next = network.getOrder(current);
  int64_t end = timeline.runAll(next, current, LatencyProblem::kNever);
  if (order.empty() || end <= latency) {
    order = std::move(next);
    latency = end;
  }
}

/// The units of the way that ends last.
void LatencyAnnealer::findCritical() {
  timeline.runAll(order, current, LatencyProblem::kNever);
  critical.clear();
  unsigned item = timeline.getLastItem();
  for (size_t count = 0;
       item != LatencyTimeline::kNoItem && count < problem.items.size();
       ++count) {
    critical.push_back(problem.units[item]);
    item = timeline.getCause(item);
  }
}

unsigned LatencyAnnealer::pickUnit() {
  constexpr double kCritical = 0.7;
  return !critical.empty() && pickPart() < kCritical
             ? critical[pick(critical.size())]
             : movable[pick(movable.size())];
}

/// That of a neighbour, or any.
unsigned LatencyAnnealer::pickDevice(unsigned unit) {
  constexpr double kAnywhere = 0.3;
  ArrayRef<unsigned> members = network.members[unit];
  const LatencyItem &item = problem.items[members[pick(members.size())]];
  size_t count = item.reads.size() + item.results.size();
  if (count == 0 || pickPart() < kAnywhere)
    return pick(problem.numDevices);
  size_t number = pick(count);
  unsigned value = number < item.reads.size()
                       ? item.reads[number]
                       : item.results[number - item.reads.size()];
  const LatencyValue &v = problem.values[value];
  if (number >= item.reads.size()) {
    ArrayRef<unsigned> readers = network.readers[value];
    if (!v.needed.empty() && (readers.empty() || pick(2) == 0))
      return v.needed[pick(v.needed.size())];
    return readers.empty()
               ? pick(problem.numDevices)
               : current[problem.units[readers[pick(readers.size())]]];
  }
  if (v.producer == LatencyValue::kGiven)
    return v.device;
  return v.producer == LatencyValue::kMadeAgain
             ? pick(problem.numDevices)
             : current[problem.units[v.producer]];
}

void LatencyAnnealer::add(unsigned unit, unsigned home, unsigned limit) {
  if (together.size() >= limit || taken[unit] == now || current[unit] != home)
    return;
  taken[unit] = now;
  together.push_back(unit);
}

/// The unit; now and then some that exchange values with it or are next to it,
/// and stand with it.
void LatencyAnnealer::collect(unsigned unit) {
  constexpr double kAlone = 0.5, kRow = 0.5;
  ++now;
  together.clear();
  unsigned home = current[unit];
  if (pickPart() < kAlone)
    return add(unit, home, 1);
  unsigned limit = 2 + pick(kMostUnits - 1);
  add(unit, home, limit);
  if (pickPart() < kRow) {
    // A row of items of the program, which tend to be a part of a network.
    ArrayRef<unsigned> members = network.members[unit];
    size_t first = members[pick(members.size())];
    bool isForward = pick(2);
    for (unsigned i = 1; i < limit; ++i) {
      size_t item = isForward ? first + i : first - i;
      if (item >= problem.items.size())
        break;
      add(problem.units[item], home, limit);
    }
    return;
  }
  for (unsigned i = 0; i < together.size() && together.size() < limit; ++i)
    for (unsigned member : network.members[together[i]]) {
      for (unsigned value : problem.items[member].reads)
        if (unsigned producer = problem.values[value].producer;
            producer < problem.items.size())
          add(problem.units[producer], home, limit);
      for (unsigned value : problem.items[member].results)
        for (unsigned reader : network.readers[value])
          add(problem.units[reader], home, limit);
    }
}

/// Moves what was collected, as far as it may be there, if there is room.
bool LatencyAnnealer::move(unsigned device) {
  int64_t weight = 0;
  llvm::erase_if(together, [&](unsigned unit) {
    return !network.isAllowed(unit, device) || current[unit] == device;
  });
  for (unsigned unit : together)
    weight += network.weights[unit];
  if (together.empty() ||
      (weight != 0 && sums[device] + weight > problem.budgets[device]))
    return false;
  sums[current[together.front()]] -= weight;
  sums[device] += weight;
  for (unsigned unit : together)
    current[unit] = device;
  return true;
}

void LatencyAnnealer::tryMove(double temperature) {
  unsigned unit = pickUnit(), device = pickDevice(unit), home = current[unit];
  if (device == home)
    return;
  collect(unit);
  if (!move(device))
    return;
  double slack = -temperature * std::log(1 - pickPart());
  int64_t limit = latency + int64_t(std::min(slack, double(latency)));
  int64_t end = timeline.runAll(order, current, limit);
  if (end == LatencyProblem::kNever) {
    move(home);
    return;
  }
  latency = end;
  if (latency < best) {
    best = latency;
    found.push_back(current);
  }
}

void LatencyAnnealer::anneal() {
  if (found.empty() || movable.empty())
    return;
  current = found.back();
  sums.assign(problem.numDevices, 0);
  for (auto [unit, device] : llvm::enumerate(current))
    sums[device] += network.weights[unit];
  size_t size = 1;
  for (const LatencyItem &item : problem.items)
    size += 1 + item.reads.size() + item.results.size();
  size_t moves = std::min(
      {kMostChanges, kMostSteps / size + 1, kChangesPerUnit * movable.size()});
  double temperature = kHottest * double(best);
  double cooling =
      std::pow(kColdest / kHottest, double(kChangesPerOrder) / double(moves));
  for (size_t count = 0; count < moves; ++count) {
    if (count % kChangesPerOrder == 0) {
      reorder();
      findCritical();
      temperature *= cooling;
    }
    tryMove(temperature);
  }
}

SmallVector<LatencySolution>
mlir::hetero::searchLatency(const LatencyProblem &problem,
                            ArrayRef<LatencySolution> starts, unsigned most) {
  LatencyAnnealer annealer(problem);
  for (const LatencySolution &start : starts)
    annealer.offer(start);
  annealer.offerLists();
  annealer.anneal();
  SmallVector<LatencySolution> &found = annealer.found;
  if (found.size() > most)
    found.erase(found.begin(), found.end() - most);
  return std::move(found);
}
