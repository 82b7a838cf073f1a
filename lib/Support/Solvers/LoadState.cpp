//===- LoadState.cpp - Loads that follow moves of items -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadState.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::hetero;
using llvm::ArrayRef;

/// All times together are below this; what has no way counts as much.
static constexpr double kMostTime = double(int64_t(1) << 44);

/// By how many binary digits times are rounded.
static unsigned findShift(const LoadProblem &problem) {
  double sum = 0;
  for (int64_t time : problem.times)
    sum += time == kNoTime ? 0 : double(time);
  for (const LoadNet &net : problem.nets)
    for (int64_t cost : problem.getCosts(net))
      sum += double(cost);
  unsigned shift = 0;
  for (; sum >= kMostTime; sum /= 2)
    ++shift;
  return shift;
}

LoadState::LoadState(const LoadProblem &problem)
    : problem(problem), netsOfItems(problem), shift(findShift(problem)),
      loads(problem.numDevices + problem.links.size(), 0),
      isDominated(loads.size(), false), crossed(problem.links.size(), 0) {
  for (auto [index, link] : llvm::enumerate(problem.links))
    isDominated[problem.numDevices + index] =
        !problem.overlaps[link.from] || !problem.overlaps[link.to];
}

void LoadState::assign(ArrayRef<unsigned> assigned) {
  devices.assign(assigned.begin(), assigned.end());
  counts.assign(problem.nets.size() * problem.numDevices, 0);
  std::fill(loads.begin(), loads.end(), 0);
  for (unsigned item = 0; item < devices.size(); ++item)
    loads[devices[item]] += round(problem.getTime(item, devices[item]));
  for (unsigned net = 0; net < problem.nets.size(); ++net) {
    for (unsigned reader : problem.nets[net].readers)
      ++counts[net * problem.numDevices + devices[reader]];
    addNet(net, 1);
  }
}

void LoadState::charge(unsigned link, int64_t time) {
  auto [from, to] = problem.links[link];
  loads[problem.numDevices + link] += time;
  if (!problem.overlaps[from])
    loads[from] += time;
  if (!problem.overlaps[to])
    loads[to] += time;
}

/// Adds what the net costs, or takes it back.
void LoadState::addNet(unsigned index, int64_t sign) {
  const LoadNet &net = problem.nets[index];
  ArrayRef<int64_t> costs = problem.getCosts(net);
  const unsigned *count = &counts[index * problem.numDevices];
  unsigned from = net.producer == kNoItem ? kNoItem : devices[net.producer];
  ++now;
  for (unsigned to = 0; to < problem.numDevices; ++to) {
    if (count[to] == 0 || to == from)
      continue;
    if (from == kNoItem) {
      loads[to] += sign * round(costs[to]);
      continue;
    }
    ArrayRef<unsigned> route = problem.getRoute(from, to);
    if (route.empty())
      loads[to] += sign * int64_t(kMostTime);
    for (unsigned link : route)
      if (std::exchange(crossed[link], now) != now)
        charge(link, sign * round(costs[link]));
  }
}

void LoadState::move(unsigned item, unsigned device) {
  unsigned home = devices[item];
  for (unsigned net : netsOfItems.get(item))
    addNet(net, -1);
  loads[home] -= round(problem.getTime(item, home));
  loads[device] += round(problem.getTime(item, device));
  devices[item] = device;
  for (unsigned net : netsOfItems.get(item)) {
    if (problem.nets[net].producer != item) {
      --counts[net * problem.numDevices + home];
      ++counts[net * problem.numDevices + device];
    }
    addNet(net, 1);
  }
}

int64_t LoadState::getLargest() const {
  return *std::max_element(loads.begin(), loads.end());
}

double LoadState::getPressure(double reference) const {
  double sum = 0;
  for (unsigned index = 0; index < loads.size(); ++index) {
    if (isDominated[index])
      continue;
    double part = double(loads[index]) / reference;
    double third = part * part * part, sixth = third * third;
    sum += sixth * sixth;
  }
  return sum;
}
