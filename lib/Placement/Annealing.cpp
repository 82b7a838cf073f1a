//===- Annealing.cpp - Assignments by simulated annealing -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The largest load changes with few moves, so that for it annealing goes by a
// sum of high powers of all loads. A move takes one unit, or some that stand
// together on one device, to the device of a neighbour, now and then to any.
//
//===----------------------------------------------------------------------===//

#include "Annealing.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace mlir::hetero;

/// Rounds of annealing, and their moves: so many for each unit, at most.
static constexpr unsigned kRounds = 4;
static constexpr uint64_t kMovesPerUnit = 8000, kMostMoves = 600'000;

namespace {
struct Temperatures {
  double first, last;
};
} // namespace

/// A change of 1 is the mean time of a unit where it is fastest, or a load as
/// large as the largest one more.
static constexpr Temperatures kOfSum{3, 0.01}, kOfLoads{0.3, 1e-4},
    kOfLoadsAgain{0.6, 1e-4};
/// Moves between two temperatures.
static constexpr uint64_t kStep = 256;
/// Most units that move together, and neighbours that are looked at for it.
static constexpr unsigned kMostTogether = 30, kMostNeighbours = 16;

namespace {
class Annealer {
public:
  Annealer(const PlacementProblem &problem, const ProblemLists &lists,
           const PlacementUnits &units, const PlacementAssignment &start,
           const std::vector<int64_t> &bytes,
           const std::vector<int64_t> &budgets, SearchGoal goal);

  PlacementAssignment run();

private:
  double findReference() const;
  double getEnergy() const {
    return goal == SearchGoal::Sum ? double(pricer.getSum()) / reference
                                   : pricer.getPressure(reference);
  }
  void findNeighbours(const ProblemLists &lists);
  void anneal(const PlacementAssignment &start, Temperatures temperatures);
  void assign(const PlacementAssignment &assignment);
  void tryMove(double temperature);
  void collect(unsigned unit);
  unsigned pickPartner(unsigned home, unsigned device);
  bool exchange(unsigned home, unsigned device, unsigned partner);
  /// Bytes beyond the budgets of both.
  int64_t getExcess(unsigned a, unsigned b) const {
    return addSaturating(std::max<int64_t>(taken[a].get() - budgets[a], 0),
                         std::max<int64_t>(taken[b].get() - budgets[b], 0));
  }
  void move(unsigned unit, unsigned device);
  unsigned getDevice(unsigned unit) const {
    return pricer.getAssignment().devices[units.getUnits()[unit].nodes.front()];
  }
  unsigned pick(size_t count) { return random() % count; }
  double pickPart() { return double(random() >> 11) * 0x1p-53; }

  SearchGoal goal;
  const PlacementUnits &units;
  const std::vector<int64_t> &bytes, &budgets;
  Pricer pricer;
  std::mt19937_64 random;
  /// Units with a choice.
  std::vector<unsigned> movable;
  /// By unit: those that read its results or that make what it reads.
  std::vector<std::vector<unsigned>> neighbours;
  /// By device: bytes of its units.
  std::vector<ExactTime> taken;
  PlacementAssignment best;
  std::pair<int64_t, int64_t> bestCost;
  double reference = 1, energy = 0;
  /// What the move takes, and the number of the last move of each unit.
  std::vector<unsigned> together;
  std::vector<uint64_t> moved;
  uint64_t now = 0;
};
} // namespace

Annealer::Annealer(const PlacementProblem &problem, const ProblemLists &lists,
                   const PlacementUnits &units,
                   const PlacementAssignment &start,
                   const std::vector<int64_t> &bytes,
                   const std::vector<int64_t> &budgets, SearchGoal goal)
    : goal(goal), units(units), bytes(bytes), budgets(budgets),
      pricer(problem, lists, start), neighbours(units.getUnits().size()),
      taken(problem.getNumDevices()), best(start),
      bestCost(pricer.getCost(goal)), moved(units.getUnits().size(), 0) {
  for (unsigned unit = 0; unit < units.getUnits().size(); ++unit) {
    taken[getDevice(unit)].add(bytes[unit], 1);
    if (units.getUnits()[unit].devices.size() > 1)
      movable.push_back(unit);
  }
  findNeighbours(lists);
}

/// What the energy is told in: the mean time of a unit where it is fastest, or
/// the largest load.
double Annealer::findReference() const {
  if (goal == SearchGoal::LargestLoad)
    return double(std::max<int64_t>(bestCost.first, 1));
  const PlacementProblem &problem = pricer.getProblem();
  double sum = 0;
  for (const PlacementUnit &unit : units.getUnits())
    for (unsigned node : unit.nodes) {
      int64_t least = INT64_MAX;
      for (unsigned device : unit.devices)
        least = std::min(least, problem.getTime(node, device));
      sum += least == INT64_MAX ? 0 : double(least);
    }
  return std::max(sum / double(movable.size()), 1.0);
}

void Annealer::findNeighbours(const ProblemLists &lists) {
  const PlacementProblem &problem = pricer.getProblem();
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    for (unsigned value : units.getReads(node)) {
      int64_t producer = problem.values[value].producer;
      if (producer < 0)
        continue;
      unsigned from = units.getUnit(unsigned(producer)),
               to = units.getUnit(node);
      if (from == to || from == PlacementUnits::kNone ||
          to == PlacementUnits::kNone)
        continue;
      neighbours[from].push_back(to);
      neighbours[to].push_back(from);
    }
}

void Annealer::move(unsigned unit, unsigned device) {
  unsigned home = getDevice(unit);
  for (unsigned node : units.getUnits()[unit].nodes)
    pricer.move(node, device);
  taken[home].add(bytes[unit], -1);
  taken[device].add(bytes[unit], 1);
}

void Annealer::assign(const PlacementAssignment &assignment) {
  for (unsigned unit : movable)
    move(unit, assignment.devices[units.getUnits()[unit].nodes.front()]);
}

/// The unit, and now and then some around it.
void Annealer::collect(unsigned unit) {
  constexpr double kAlone = 0.7;
  ++now;
  together.assign(1, unit);
  moved[unit] = now;
  if (pickPart() < kAlone)
    return;
  unsigned home = getDevice(unit);
  unsigned most = std::min<unsigned>(movable.size() / 4 + 1, kMostTogether);
  unsigned limit = 1 + pick(most);
  for (unsigned i = 0; i < together.size() && together.size() < limit; ++i) {
    const std::vector<unsigned> &around = neighbours[together[i]];
    unsigned count = std::min<unsigned>(around.size(), kMostNeighbours);
    unsigned first = around.empty() ? 0 : pick(around.size());
    for (unsigned j = 0; j < count && together.size() < limit; ++j) {
      unsigned other = around[(first + j) % around.size()];
      if (moved[other] == now || getDevice(other) != home ||
          units.getUnits()[other].devices.size() < 2)
        continue;
      moved[other] = now;
      together.push_back(other);
    }
  }
}

/// A unit that moves the other way, now and then.
unsigned Annealer::pickPartner(unsigned home, unsigned device) {
  constexpr double kExchange = 0.15;
  if (pickPart() >= kExchange)
    return PlacementUnits::kNone;
  unsigned partner = movable[pick(movable.size())];
  return getDevice(partner) == device &&
                 units.getUnits()[partner].isAllowed(home)
             ? partner
             : PlacementUnits::kNone;
}

/// Moves them, if all of them may be there.
bool Annealer::exchange(unsigned home, unsigned device, unsigned partner) {
  for (unsigned unit : together)
    if (!units.getUnits()[unit].isAllowed(device))
      return false;
  for (unsigned unit : together)
    move(unit, device);
  if (partner != PlacementUnits::kNone)
    move(partner, home);
  return true;
}

void Annealer::tryMove(double temperature) {
  constexpr double kAnywhere = 0.05;
  unsigned unit = movable[pick(movable.size())], home = getDevice(unit);
  const std::vector<unsigned> &around = neighbours[unit];
  unsigned device = around.empty() || pickPart() < kAnywhere
                        ? pick(budgets.size())
                        : getDevice(around[pick(around.size())]);
  if (device == home)
    return;
  collect(unit);
  unsigned partner = pickPartner(home, device);
  int64_t before = getExcess(home, device);
  if (!exchange(home, device, partner))
    return;
  double changed = getEnergy();
  if (getExcess(home, device) > before ||
      (changed > energy &&
       pickPart() >= std::exp((energy - changed) / temperature))) {
    for (unsigned each : together)
      move(each, home);
    if (partner != PlacementUnits::kNone)
      move(partner, device);
    return;
  }
  energy = changed;
  auto cost = pricer.getCost(goal);
  if (cost.first < bestCost.first) {
    bestCost = cost;
    best = pricer.getAssignment();
  }
}

void Annealer::anneal(const PlacementAssignment &start,
                      Temperatures temperatures) {
  assign(start);
  reference = findReference();
  energy = getEnergy();
  uint64_t steps =
      std::min(kMovesPerUnit * movable.size(), kMostMoves) / kStep + 1;
  double cooling =
      std::pow(temperatures.last / temperatures.first, 1.0 / double(steps));
  double temperature = temperatures.first;
  for (uint64_t step = 0; step < steps; ++step, temperature *= cooling)
    for (uint64_t move = 0; move < kStep; ++move)
      tryMove(temperature);
}

PlacementAssignment Annealer::run() {
  if (movable.empty())
    return best;
  PlacementAssignment first = best;
  for (unsigned round = 0; round < kRounds; ++round) {
    PlacementAssignment start = round % 2 == 0 ? first : best;
    anneal(start, goal == SearchGoal::Sum ? kOfSum
                  : round == 0            ? kOfLoads
                                          : kOfLoadsAgain);
  }
  return best;
}

PlacementAssignment mlir::hetero::anneal(const PlacementProblem &problem,
                                         const ProblemLists &lists,
                                         const PlacementUnits &units,
                                         const PlacementAssignment &start,
                                         const std::vector<int64_t> &bytes,
                                         const std::vector<int64_t> &budgets,
                                         SearchGoal goal) {
  return Annealer(problem, lists, units, start, bytes, budgets, goal).run();
}
