//===- LowerBound.cpp - What no placement can be cheaper than -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With two devices the optimum is its own bound. With more, a placement is a
// set of nodes per device, and what makes the problem hard is that these sets
// must not overlap and must cover all nodes. Without that each device has a
// problem of its own (DeviceProblem), which is easy. A multiplier m(i) per node
// pays for what is given up (Lagrange): for every placement x
//
//   cost(x) >= sum of m(i) + sum over devices d of (the least over all sets S
//              of times of S on d + arrivals at d - m(i) of S)
//
// because the sets of x itself are among those that the minimum ranges over,
// and in x the multipliers cancel: each node is in one set.
//
// What arrives depends on two devices, and the problem of d does not know where
// a value v comes from. It pays a price q(v, d) per transfer, and the problem
// of each device s gets back, where v is made on it, what that may be too much:
// max(0, q - transfer time from s) as often as the block of v runs. A transfer
// that stands at cheaper sites than that block runs no more often, so that the
// price less what is given back is never more than the transfer time. q may be
// chosen freely; it is a multiplier like m.
//
// An operation without side effects may be in several sets, since it may be
// made again instead of copied. Multipliers of such are not negative, so that
// what does not cancel then only lowers the sum.
//
// The sum of minima is concave in the multipliers. Steps along a subgradient
// (how often too few or too many sets have a node) approach its maximum, which
// is the bound of the linear relaxation, since the minimum of each device's
// problem is that of its relaxation. Every step gives a valid bound; the best
// counts.
//
//===----------------------------------------------------------------------===//

#include "LowerBound.h"

#include "DecidedPart.h"
#include "DeviceProblem.h"
#include "Repetition.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::hetero;

/// Most devices, each of which has a problem as large as the graph.
static constexpr unsigned kMostDevices = 64;
/// Most and fewest steps, and what all of them together may look at.
static constexpr unsigned kMaxSteps = 300, kMinSteps = 8;
static constexpr size_t kMaxWork = 30000000;
/// Once this is used up, a gap of less than 1 / kCloseEnough of the cost ends
/// the ascent.
static constexpr size_t kFirstWork = 1000000;
static constexpr int64_t kCloseEnough = 10000;
/// Steps without a better bound until they become smaller.
static constexpr unsigned kPatience = 6;
/// Share of the last direction that is kept, against going to and fro.
static constexpr double kMomentum = 0.5;
/// A squared length below that of any gradient, whose entries are numbers of
/// sets.
static constexpr double kNoGradient = 1e-6;
/// Of multipliers: sums of many do not overflow.
static constexpr int64_t kFurthest = int64_t(1) << 50;

namespace {
/// Raises the bound of one graph step by step.
class Ascent {
public:
  Ascent(const Assignment &assignment, int64_t cost, int64_t workLimit);
  int64_t run();

private:
  void findChoices();
  int64_t getRefund(const DeviceProblem &problem,
                    const DeviceProblem::Arrival &arrival,
                    DeviceIndex from) const;
  void computeRewards(DeviceIndex device);
  std::optional<int64_t> computeBound();
  double computeGradient();
  void step(double size);

  const Assignment &assignment;
  const PlacementGraph &graph;
  int64_t cost, workLimit, best = 0;
  SmallVector<uint8_t, 0> isChoice;
  /// By node: it may be on several devices at once.
  SmallVector<uint8_t, 0> mayRepeat;
  SmallVector<DeviceProblem, 0> problems;
  /// By node: the multipliers, and what a node brings to one device.
  SmallVector<int64_t, 0> multipliers, rewards;
  /// By node, then by arrival.
  SmallVector<double, 0> gradient;
};
} // namespace

Ascent::Ascent(const Assignment &assignment, int64_t cost, int64_t workLimit)
    : assignment(assignment), graph(assignment.getGraph()), cost(cost),
      workLimit(workLimit) {
  findChoices();
  size_t size = graph.nodes.size();
  for (DeviceIndex device = 0; device < graph.topology.size(); ++device) {
    problems.emplace_back(assignment, device, isChoice, cost);
    size += problems.back().getArrivals().size();
  }
  gradient.assign(size, 0);
}

/// Nodes that may stand on several devices, at first each worth its best time.
void Ascent::findChoices() {
  isChoice.assign(graph.nodes.size(), false);
  mayRepeat.assign(graph.nodes.size(), false);
  multipliers.assign(graph.nodes.size(), 0);
  for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
    const PlacementNode &node = graph.nodes[index];
    if ((!node.open && !node.mayRepeat) || assignment.isReplicated(index))
      continue;
    unsigned count = 0;
    int64_t fastest = cost;
    for (DeviceIndex device = 0; device < graph.topology.size(); ++device)
      if (graph.isAllowed(index, device)) {
        ++count;
        fastest = std::min(fastest, graph.getTime(index, device));
      }
    isChoice[index] = count > 1;
    mayRepeat[index] =
        isChoice[index] && (node.mayRepeat || isRepeatableByCost(graph, index));
    if (count > 1)
      multipliers[index] = fastest;
  }
}

/// What the arrival's price may be too much if the value comes from here.
int64_t Ascent::getRefund(const DeviceProblem &problem,
                          const DeviceProblem::Arrival &arrival,
                          DeviceIndex from) const {
  if (arrival.price <= arrival.low || from == problem.getDevice())
    return 0;
  int64_t time =
      graph.getTransferTime(arrival.value, from, problem.getDevice());
  if (time >= arrival.price)
    return 0;
  return graph.tree.scale(arrival.price - time,
                          graph.values[arrival.value].block);
}

/// What each node brings to one device.
void Ascent::computeRewards(DeviceIndex device) {
  rewards = multipliers;
  for (DeviceProblem &problem : problems)
    for (const DeviceProblem::Arrival &arrival : problem.getArrivals())
      if (int64_t refund = getRefund(problem, arrival, device)) {
        int64_t &reward = rewards[graph.values[arrival.value].producer];
        reward = addTimes(reward, refund);
      }
}

std::optional<int64_t> Ascent::computeBound() {
  int64_t sum = 0;
  for (int64_t multiplier : multipliers)
    sum += multiplier;
  for (DeviceProblem &problem : problems) {
    computeRewards(problem.getDevice());
    std::optional<int64_t> least = problem.solve(rewards, workLimit);
    if (!least)
      return std::nullopt;
    sum = addTimes(sum, *least);
  }
  return sum;
}

/// How the bound changes with each multiplier. Returns the squared length.
double Ascent::computeGradient() {
  auto set = [&](double &entry, double value) {
    entry = value + kMomentum * entry;
    return entry * entry;
  };
  double length = 0;
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (!isChoice[node])
      continue;
    int count = llvm::count_if(problems, [&](const DeviceProblem &problem) {
      return problem.isHere(node);
    });
    length += set(gradient[node], 1 - count);
  }
  double *entry = gradient.begin() + graph.nodes.size();
  for (DeviceProblem &problem : problems)
    for (const DeviceProblem::Arrival &arrival : problem.getArrivals()) {
      double change = arrival.count;
      const PlacementValue &value = graph.values[arrival.value];
      for (DeviceProblem &other : problems)
        if (value.producer != kNone && other.isHere(value.producer) &&
            getRefund(problem, arrival, other.getDevice()) != 0)
          change -= graph.tree.getFrequency(value.block);
      length += arrival.low < arrival.high ? set(*entry, change) : 0;
      ++entry;
    }
  return length;
}

/// A number and its change, between two others.
static int64_t move(int64_t number, double change, int64_t low, int64_t high) {
  double moved = double(number) + change;
  if (moved <= double(low))
    return low;
  return moved >= double(high) ? high : std::llround(moved);
}

/// Goes along the gradient. No multiplier is worth more than the whole cost.
void Ascent::step(double size) {
  int64_t high = std::min(cost, kFurthest);
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node)
    if (isChoice[node])
      multipliers[node] = move(multipliers[node], size * gradient[node],
                               mayRepeat[node] ? 0 : -high, high);
  const double *entry = gradient.begin() + graph.nodes.size();
  for (DeviceProblem &problem : problems)
    for (DeviceProblem::Arrival &arrival : problem.getArrivals()) {
      if (arrival.low < arrival.high)
        arrival.price =
            move(arrival.price, size * *entry, arrival.low, arrival.high);
      ++entry;
    }
}

/// Polyak's step sizes: what is missing over the squared length.
int64_t Ascent::run() {
  size_t work = 1;
  for (const DeviceProblem &problem : problems)
    work += problem.getSize();
  unsigned steps = std::clamp<size_t>(kMaxWork / work, kMinSteps, kMaxSteps);
  double scale = 1;
  unsigned idle = 0;
  for (unsigned i = 0; i < steps && best < cost; ++i) {
    if (i * work > kFirstWork && cost - best < cost / kCloseEnough)
      break;
    std::optional<int64_t> bound = computeBound();
    if (!bound)
      break;
    idle = *bound > best ? 0 : idle + 1;
    best = std::max(best, *bound);
    if (idle == kPatience) {
      idle = 0;
      scale /= 2;
    }
    double length = computeGradient();
    // What momentum is left of steps that led to the maximum.
    if (length < kNoGradient)
      break;
    step(scale * double(cost - *bound) / length);
  }
  return best;
}

/// Has what may be made anywhere, and is made somewhere, chosen like what is
/// open.
static Assignment openRepeatable(Assignment assignment) {
  const PlacementGraph &graph = assignment.getGraph();
  SmallVector<uint8_t, 0> isNeeded = findNeeded(graph, [&](NodeIndex node) {
    return assignment.isReplicated(node) ||
           (graph.nodes[node].open && isRepeatableByCost(graph, node));
  });
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    auto isAllowed = [&](DeviceIndex device) {
      return graph.isAllowed(node, device);
    };
    if (graph.nodes[node].mayRepeat && isNeeded[node] &&
        llvm::count_if(llvm::seq(graph.topology.size()), isAllowed) > 1)
      assignment.setReplicated(node, false);
  }
  return assignment;
}

int64_t mlir::hetero::computeLowerBound(Assignment decided, int64_t cost,
                                        int64_t workLimit) {
  decided = reopenRepeated(std::move(decided));
  int64_t bound = boundDecidedPart(decided);
  if (decided.getGraph().topology.size() <= kMostDevices)
    bound =
        std::max(bound, Ascent(openRepeatable(decided), cost, workLimit).run());
  return std::min(cost, bound);
}
