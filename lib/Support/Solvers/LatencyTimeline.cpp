//===- LatencyTimeline.cpp - When placed items end ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LatencyTimeline.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Network
//===----------------------------------------------------------------------===//

LatencyNetwork::LatencyNetwork(const LatencyProblem &problem)
    : problem(problem), readers(problem.values.size()) {
  unsigned numUnits = problem.getNumUnits();
  members.resize(numUnits);
  weights.assign(numUnits, 0);
  allowed.assign(size_t(numUnits) * problem.numDevices, true);
  for (auto [index, item] : llvm::enumerate(problem.items)) {
    unsigned unit = problem.units[index];
    members[unit].push_back(index);
    weights[unit] += item.weight;
    for (unsigned device = 0; device < problem.numDevices; ++device)
      if (problem.getTime(index, device) == LatencyProblem::kNever)
        allowed[size_t(unit) * problem.numDevices + device] = false;
    for (unsigned value : item.reads)
      readers[value].push_back(index);
    bool isNext =
        index != 0 && problem.items[index - 1].segment != item.segment;
    runs.push_back(index == 0 ? 0 : runs.back() + isNext);
  }
}

bool LatencyNetwork::fits(const LatencySolution &solution) const {
  SmallVector<int64_t> sums(problem.numDevices, 0);
  for (auto [unit, device] : llvm::enumerate(solution)) {
    if (!isAllowed(unit, device))
      return false;
    sums[device] += weights[unit];
  }
  return llvm::all_of(llvm::zip_equal(sums, problem.budgets), [](auto pair) {
    return std::get<0>(pair) <= std::get<1>(pair);
  });
}

int64_t LatencyNetwork::getCopyTime(unsigned value, unsigned from,
                                    unsigned to) const {
  if (from == to)
    return 0;
  ArrayRef<unsigned> route = problem.routes[from * problem.numDevices + to];
  int64_t time = route.empty() ? LatencyProblem::kNever : 0;
  for (unsigned stop : route) {
    time = addUp(time, problem.costs[problem.values[value].costs +
                                     from * problem.numDevices + stop]);
    from = stop;
  }
  return time;
}

SmallVector<unsigned, 0>
LatencyNetwork::getOrder(const LatencySolution &solution) const {
  size_t count = problem.items.size();
  SmallVector<int64_t, 0> ranks(count, 0);
  // By device that keeps the order.
  SmallVector<int64_t> ofHost(problem.numDevices, 0);
  for (size_t index = count; index-- != 0;) {
    const LatencyItem &item = problem.items[index];
    unsigned device = solution[problem.units[index]];
    int64_t after = 0;
    for (unsigned value : item.results) {
      for (unsigned reader : readers[value])
        if (reader > index && runs[reader] == runs[index])
          after = std::max(after,
                           addUp(ranks[reader],
                                 getCopyTime(value, device,
                                             solution[problem.units[reader]])));
      forEachTarget(value, solution, [&](unsigned target) {
        after = std::max(after, getCopyTime(value, device, target));
      });
    }
    int64_t time = problem.getTime(index, device);
    bool isHost = problem.keepsOrder[device] && time != 0;
    if (index + 1 < count && runs[index + 1] != runs[index])
      llvm::fill(ofHost, 0);
    ranks[index] =
        addUp(time, isHost ? std::max(after, ofHost[device]) : after);
    if (isHost)
      ofHost[device] = ranks[index];
  }
  SmallVector<unsigned, 0> order(count);
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::tuple(runs[a], -ranks[a], a) <
           std::tuple(runs[b], -ranks[b], b);
  });
  return order;
}

//===----------------------------------------------------------------------===//
// Timeline
//===----------------------------------------------------------------------===//

LatencyTimeline::LatencyTimeline(const LatencyNetwork &network)
    : network(network), problem(network.problem),
      places(problem.values.size() * problem.numDevices),
      free(problem.numEngines, 0), users(problem.numEngines, kNoItem),
      causes(problem.items.size(), kNoItem) {
  restart();
}

void LatencyTimeline::restart() {
  ++epoch;
  currentRun = ~0u;
  lastItem = kNoItem;
  base = last = 0;
}

/// All engines are through with what was before.
void LatencyTimeline::enterRun(unsigned run) {
  currentRun = run;
  base = last;
  std::fill(free.begin(), free.end(), base);
  std::fill(users.begin(), users.end(), lastItem);
}

/// The device where a value is made or given.
unsigned LatencyTimeline::getHome(unsigned value,
                                  const LatencySolution &solution) const {
  const LatencyValue &v = problem.values[value];
  return v.producer == LatencyValue::kGiven
             ? v.device
             : solution[problem.units[v.producer]];
}

/// When a value is on a device, to where it is copied if it is not there;
/// LatencyProblem::kNever if it cannot be. Copies count as work for the item
/// that needs them.
int64_t LatencyTimeline::bring(unsigned value, unsigned device, unsigned item,
                               const LatencySolution &solution) {
  Place &place = getPlace(value, device);
  if (place.epoch == epoch)
    return place.time;
  place.epoch = epoch;
  const LatencyValue &v = problem.values[value];
  if (v.producer == LatencyValue::kMadeAgain) {
    place.time = addUp(free[device], problem.costs[v.costs + device]);
    free[device] = place.time;
    return place.time;
  }
  unsigned home = getHome(value, solution);
  if (home == device)
    return place.time = base;
  const Place &source = getPlace(value, home);
  int64_t time = source.epoch == epoch ? std::max(source.time, base) : base;
  ArrayRef<unsigned> route = problem.routes[home * problem.numDevices + device];
  if (route.empty())
    return place.time = LatencyProblem::kNever;
  for (unsigned stop : route) {
    Place &onTheWay = getPlace(value, stop);
    if (stop != device && onTheWay.epoch == epoch) {
      time = std::max(onTheWay.time, base);
      home = stop;
      continue;
    }
    int64_t cost = problem.costs[v.costs + home * problem.numDevices + stop];
    ArrayRef<unsigned> engines;
    if (cost != 0)
      engines = problem.getEngines(home, stop);
    for (unsigned engine : engines)
      time = std::max(time, free[engine]);
    time = addUp(time, cost);
    for (unsigned engine : engines) {
      free[engine] = time;
      users[engine] = item;
    }
    onTheWay.time = time;
    onTheWay.epoch = epoch;
    home = stop;
  }
  return place.time = time;
}

bool LatencyTimeline::run(unsigned index, const LatencySolution &solution) {
  if (network.runs[index] != currentRun)
    enterRun(network.runs[index]);
  const LatencyItem &item = problem.items[index];
  unsigned device = solution[problem.units[index]];
  int64_t start = base, time = problem.getTime(index, device);
  unsigned cause = kNoItem;
  for (unsigned value : item.reads) {
    int64_t there = bring(value, device, index, solution);
    if (there <= start)
      continue;
    start = there;
    unsigned producer = problem.values[value].producer;
    cause = producer < problem.items.size() ? producer : kNoItem;
  }
  if (time == LatencyProblem::kNever || start == LatencyProblem::kNever)
    return false;
  if (time != 0) {
    if (free[device] > start) {
      start = free[device];
      cause = users[device];
    }
    free[device] = start + time;
    users[device] = index;
  }
  causes[index] = cause == index ? kNoItem : cause;
  int64_t end = addUp(start, time);
  for (unsigned value : item.results) {
    Place &place = getPlace(value, device);
    place.epoch = epoch;
    place.time = end;
  }
  for (unsigned value : item.results)
    network.forEachTarget(value, solution, [&](unsigned target) {
      if (target != device)
        end = std::max(end, bring(value, target, index, solution));
    });
  if (end >= last) {
    last = end;
    lastItem = index;
  }
  return end != LatencyProblem::kNever;
}

int64_t LatencyTimeline::estimate(unsigned index, unsigned device,
                                  const LatencySolution &solution) const {
  int64_t time = problem.getTime(index, device), again = 0;
  bool isNext = network.runs[index] != currentRun;
  int64_t start = isNext ? last : base;
  int64_t ready = isNext ? last : free[device];
  for (unsigned value : problem.items[index].reads) {
    const LatencyValue &v = problem.values[value];
    const Place &place = places[size_t(value) * problem.numDevices + device];
    if (place.epoch == epoch) {
      start = std::max(start, place.time);
      continue;
    }
    if (v.producer == LatencyValue::kMadeAgain) {
      again = addUp(again, problem.costs[v.costs + device]);
      continue;
    }
    unsigned home = getHome(value, solution);
    const Place &source = places[size_t(value) * problem.numDevices + home];
    int64_t there = source.epoch == epoch ? source.time : 0;
    ArrayRef<unsigned> route =
        problem.routes[home * problem.numDevices + device];
    if (!route.empty())
      for (unsigned engine : problem.getEngines(home, route.front()))
        there = std::max(there, free[engine]);
    start = std::max(start, addUp(std::max(there, base),
                                  network.getCopyTime(value, home, device)));
  }
  return addUp(std::max(start, addUp(ready, again)), time);
}

int64_t LatencyTimeline::runAll(ArrayRef<unsigned> order,
                                const LatencySolution &solution,
                                int64_t limit) {
  restart();
  for (unsigned item : order)
    if (!run(item, solution) || last > limit)
      return LatencyProblem::kNever;
  return last;
}
