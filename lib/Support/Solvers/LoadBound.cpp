//===- LoadBound.cpp - What no division of work is below ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/LoadBound.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>
#include <numeric>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Sums of weighted times that do not overflow.
using WideTime = __int128;

/// Steps towards the best weights, and the largest of these as they count.
static constexpr unsigned kSteps = 80;
static constexpr int64_t kHeaviest = 1 << 20;
/// Targets that are tried, and rounds for one.
static constexpr unsigned kTargets = 36, kMostRounds = 64, kFewRounds = 6,
                          kMany = 20'000;
/// Of many items, how exactly the target is found, in bits of the cost.
static constexpr unsigned kManyBits = 12;

namespace {
/// Tries to prove that no solution has all loads at most a target.
class Refuter {
public:
  Refuter(const LoadProblem &problem, int64_t target,
          SmallVector<double> weights);

  /// The proof's end is None where there is none.
  LoadProof run();
  const SmallVector<double> &getWeights() const { return weights; }

private:
  unsigned find(unsigned item);
  void group();
  int64_t getTime(unsigned group, unsigned device) const {
    return times[size_t(group) * numDevices + device];
  }
  bool findFullItem();
  bool findPigeonhole();
  bool findPigeonhole(ArrayRef<unsigned> devices);
  void improveWeights();
  void addLoads(SmallVector<double> &loads, double &least) const;
  WideTime computeLeast();
  WideTime getLeast(unsigned group) const;
  bool mergeAll();
  bool canBeApart(const LoadNet &net, unsigned producer, unsigned reader,
                  WideTime slack);
  bool canBeApart(const LoadNet &net, unsigned producer, unsigned from,
                  unsigned reader, unsigned to, WideTime slack);

  const LoadProblem &problem;
  unsigned numDevices;
  int64_t target;
  /// Items that cannot be apart, by the first; its number, and its times.
  SmallVector<unsigned, 0> parents, groupOf, roots;
  SmallVector<int64_t, 0> times;
  SmallVector<double> weights;
  SmallVector<int64_t> rounded;
  LoadProof proof;
};
} // namespace

Refuter::Refuter(const LoadProblem &problem, int64_t target,
                 SmallVector<double> weights)
    : problem(problem), numDevices(problem.numDevices), target(target),
      parents(problem.getNumItems()), groupOf(problem.getNumItems()),
      weights(std::move(weights)) {
  std::iota(parents.begin(), parents.end(), 0);
}

unsigned Refuter::find(unsigned item) {
  while (parents[item] != item)
    item = parents[item] = parents[parents[item]];
  return item;
}

/// The times of the groups; kNoTime where one is longer than the target.
void Refuter::group() {
  roots.clear();
  for (unsigned item = 0; item < parents.size(); ++item)
    if (find(item) == item) {
      groupOf[item] = roots.size();
      roots.push_back(item);
    }
  times.assign(roots.size() * numDevices, 0);
  for (unsigned item = 0; item < parents.size(); ++item) {
    groupOf[item] = groupOf[find(item)];
    for (unsigned device = 0; device < numDevices; ++device) {
      int64_t &sum = times[size_t(groupOf[item]) * numDevices + device];
      int64_t time = problem.getTime(item, device);
      sum = sum == kNoTime || time == kNoTime || time > target - sum
                ? kNoTime
                : sum + time;
    }
  }
}

bool Refuter::findFullItem() {
  for (unsigned g = 0; g < roots.size(); ++g)
    if (llvm::all_of(llvm::seq(numDevices), [&](unsigned device) {
          return getTime(g, device) == kNoTime;
        })) {
      proof.end = LoadProof::End::Item;
      proof.items = {roots[g]};
      return true;
    }
  return false;
}

/// Of the m longest items that can be on these devices only, one device has
/// m/devices at least, none shorter than the last of them.
bool Refuter::findPigeonhole(ArrayRef<unsigned> devices) {
  SmallVector<std::pair<int64_t, unsigned>, 0> items;
  for (unsigned g = 0; g < roots.size(); ++g) {
    int64_t least = kNoTime;
    bool isElsewhere = false;
    for (unsigned device = 0; device < numDevices; ++device) {
      bool isOne = llvm::is_contained(devices, device);
      isElsewhere |= !isOne && getTime(g, device) != kNoTime;
      if (isOne)
        least = std::min(least, getTime(g, device));
    }
    if (!isElsewhere)
      items.push_back({least, roots[g]});
  }
  llvm::stable_sort(items, [](auto &a, auto &b) { return a.first > b.first; });
  for (size_t count = devices.size() + 1; count <= items.size(); ++count) {
    size_t together = (count + devices.size() - 1) / devices.size();
    WideTime sum = 0;
    for (size_t i = count - together; i < count; ++i)
      sum += items[i].first;
    if (sum <= target)
      continue;
    proof.end = LoadProof::End::Pigeonhole;
    proof.devices.assign(devices.begin(), devices.end());
    for (size_t i = 0; i < count; ++i)
      proof.items.push_back(items[i].second);
    return true;
  }
  return false;
}

bool Refuter::findPigeonhole() {
  SmallVector<SmallVector<unsigned>> tried;
  constexpr size_t kMostSets = 8;
  for (unsigned g = 0; g < roots.size() && tried.size() < kMostSets; ++g) {
    SmallVector<unsigned> devices;
    for (unsigned device = 0; device < numDevices; ++device)
      if (getTime(g, device) != kNoTime)
        devices.push_back(device);
    if (llvm::is_contained(tried, devices))
      continue;
    tried.push_back(devices);
    if (findPigeonhole(devices))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Adds each group to the devices where it weighs the least, in equal parts.
void Refuter::addLoads(SmallVector<double> &loads, double &least) const {
  for (unsigned g = 0; g < roots.size(); ++g) {
    double best = HUGE_VAL;
    unsigned count = 0;
    for (unsigned device = 0; device < numDevices; ++device) {
      if (getTime(g, device) == kNoTime)
        continue;
      double weighted = weights[device] * double(getTime(g, device));
      count = weighted < best ? 1 : count + (weighted == best);
      best = std::min(best, weighted);
    }
    least += best;
    for (unsigned device = 0; device < numDevices; ++device)
      if (getTime(g, device) != kNoTime &&
          weights[device] * double(getTime(g, device)) == best)
        loads[device] += double(getTime(g, device)) / count;
  }
}

/// Raises the weights of devices that the items prefer too much, and keeps
/// those that leave the least slack.
void Refuter::improveWeights() {
  constexpr double kFirstStep = 0.4;
  SmallVector<double> best = weights;
  double bestPart = -1;
  for (unsigned step = 0; step < kSteps; ++step) {
    SmallVector<double> loads(numDevices, 0);
    double least = 0;
    addLoads(loads, least);
    double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (least / sum > bestPart) {
      bestPart = least / sum;
      best = weights;
    }
    double stride = kFirstStep / (1 + step * 0.5), total = double(target) + 1;
    for (unsigned device = 0; device < numDevices; ++device)
      weights[device] *=
          1 + stride * std::clamp((loads[device] - total) / total, -1.0, 1.0);
  }
  weights = best;
  double heaviest = *std::max_element(weights.begin(), weights.end());
  rounded.clear();
  for (double &weight : weights) {
    weight = std::max(weight / heaviest, 1e-9);
    rounded.push_back(std::llround(weight * double(kHeaviest)));
  }
}

WideTime Refuter::getLeast(unsigned group) const {
  WideTime least = -1;
  for (unsigned device = 0; device < numDevices; ++device)
    if (getTime(group, device) != kNoTime)
      if (WideTime time = WideTime(rounded[device]) * getTime(group, device);
          least < 0 || time < least)
        least = time;
  return least;
}

/// The weighted sum is no less; what is made again is made once at least.
WideTime Refuter::computeLeast() {
  WideTime sum = 0;
  for (unsigned g = 0; g < roots.size(); ++g)
    sum += getLeast(g);
  for (const LoadNet &net : problem.nets) {
    if (net.producer != kNoItem)
      continue;
    ArrayRef<int64_t> costs = problem.getCosts(net);
    unsigned reader = groupOf[net.readers.front()];
    WideTime least = -1;
    for (unsigned device = 0; device < numDevices; ++device)
      if (getTime(reader, device) != kNoTime)
        if (WideTime time = WideTime(rounded[device]) * costs[device];
            least < 0 || time < least)
          least = time;
    sum += least;
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Items that cannot be apart
//===----------------------------------------------------------------------===//

bool Refuter::canBeApart(const LoadNet &net, unsigned producer, unsigned from,
                         unsigned reader, unsigned to, WideTime slack) {
  ArrayRef<int64_t> costs = problem.getCosts(net);
  ArrayRef<unsigned> route = problem.getRoute(from, to);
  if (route.empty())
    return false;
  SmallVector<WideTime, 8> loads(numDevices, 0);
  WideTime extra =
      WideTime(rounded[from]) * getTime(producer, from) - getLeast(producer) +
      WideTime(rounded[to]) * getTime(reader, to) - getLeast(reader);
  loads[from] = getTime(producer, from);
  loads[to] = getTime(reader, to);
  for (unsigned link : route) {
    if (costs[link] > target)
      return false;
    for (unsigned end : {problem.links[link].from, problem.links[link].to})
      if (!problem.overlaps[end]) {
        loads[end] += costs[link];
        extra += WideTime(rounded[end]) * costs[link];
      }
  }
  return extra <= slack &&
         llvm::all_of(loads, [&](WideTime load) { return load <= target; });
}

bool Refuter::canBeApart(const LoadNet &net, unsigned producer, unsigned reader,
                         WideTime slack) {
  for (unsigned from = 0; from < numDevices; ++from)
    for (unsigned to = 0; to < numDevices; ++to)
      if (from != to && getTime(producer, from) != kNoTime &&
          getTime(reader, to) != kNoTime &&
          canBeApart(net, producer, from, reader, to, slack))
        return true;
  return false;
}

/// Merges all that cannot be apart as the groups are now. False if there is
/// nothing, or if the slack is negative, which ends the proof.
bool Refuter::mergeAll() {
  WideTime slack =
      WideTime(target) *
          std::accumulate(rounded.begin(), rounded.end(), int64_t(0)) -
      computeLeast();
  if (slack < 0) {
    proof.end = LoadProof::End::Work;
    proof.weights.assign(rounded.begin(), rounded.end());
    return false;
  }
  LoadProof::Round round{rounded, {}};
  for (auto [index, net] : llvm::enumerate(problem.nets)) {
    if (net.producer == kNoItem || net.isOptional)
      continue;
    for (unsigned reader : net.readers) {
      unsigned a = groupOf[net.producer], b = groupOf[reader];
      if (a == b || find(net.producer) == find(reader) ||
          canBeApart(net, a, b, slack))
        continue;
      round.merges.push_back({unsigned(index), reader});
      unsigned first = find(net.producer), second = find(reader);
      parents[std::max(first, second)] = std::min(first, second);
    }
  }
  if (round.merges.empty())
    return false;
  proof.rounds.push_back(std::move(round));
  return true;
}

LoadProof Refuter::run() {
  proof.target = target;
  unsigned mostRounds =
      problem.getNumItems() > kMany ? kFewRounds : kMostRounds;
  for (unsigned round = 0; round < mostRounds; ++round) {
    group();
    if (findFullItem() || findPigeonhole())
      break;
    improveWeights();
    if (!mergeAll())
      break;
  }
  return std::move(proof);
}

LoadProof mlir::hetero::boundLoads(const LoadProblem &problem, int64_t cost,
                                   int64_t known) {
  LoadProof best;
  SmallVector<double> weights(problem.numDevices, 1);
  int64_t low = known, high = cost;
  int64_t target = cost - 1;
  // Each target takes long where there are many items.
  int64_t enough = problem.getNumItems() > kMany ? cost >> kManyBits : 1;
  for (unsigned i = 0; i < kTargets && high - low > enough; ++i) {
    Refuter refuter(problem, target, weights);
    LoadProof proof = refuter.run();
    if (proof.end != LoadProof::End::None) {
      low = target;
      best = std::move(proof);
    } else {
      high = target;
    }
    target = low + (high - low) / 2;
  }
  return best;
}
