//===- LoadSearch.cpp - Divides work among devices ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983, Science 220) from
// the best of slices and of what the caller has. A move takes one item, or some
// that are joined to it and stand with it, to a device of a neighbour, and
// sometimes one from there back. What is
// annealed is the sum of the loads' twelfth powers, which tells a move that
// relieves the second busiest device from one that does not.
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/LoadSearch.h"

#include "LoadSlices.h"
#include "LoadState.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <random>

using namespace mlir::hetero;
using llvm::SmallVector;

/// Rounds of annealing, and their moves: so many for each item, at most.
static constexpr unsigned kRounds = 4;
static constexpr uint64_t kMovesPerItem = 8000, kMostMoves = 1'100'000;
/// Temperatures, of the first round and of the others, down to the last.
static constexpr double kFirst = 0.3, kNext = 0.6, kLast = 1e-4;
/// Moves between two temperatures.
static constexpr uint64_t kStep = 256;
/// Most items that move together, and ends of a net that are looked at for it.
static constexpr unsigned kMostTogether = 30, kMostEnds = 16;

namespace {
class Annealer {
public:
  Annealer(const LoadProblem &problem, const LoadSolution &start);

  void offer(const LoadSolution &solution);
  void anneal(const LoadSolution &start, double hottest);
  bool hasChoice() const { return !movable.empty(); }
  const LoadSolution &getBest() const { return best; }

private:
  void tryMove(double temperature);
  unsigned pickNeighbour(unsigned item);
  unsigned pickDevice(unsigned item);
  void collect(unsigned item);
  void addEnds(const LoadNet &net, unsigned home, unsigned limit);
  bool canMove(unsigned device) const;
  unsigned pickPartner(unsigned home, unsigned device);
  unsigned pick(size_t count) { return random() % count; }
  double pickPart() { return double(random() >> 11) * 0x1p-53; }

  const LoadProblem &problem;
  LoadState state;
  std::mt19937_64 random;
  /// Items with a choice.
  SmallVector<unsigned, 0> movable;
  SmallVector<uint8_t, 0> isMovable;
  LoadSolution best;
  int64_t bestLoad;
  double reference, pressure = 0;
  /// What the move takes, and the items in it by the number of the move.
  SmallVector<unsigned, 32> together;
  SmallVector<uint64_t, 0> taken;
  uint64_t now = 0;
};
} // namespace

Annealer::Annealer(const LoadProblem &problem, const LoadSolution &start)
    : problem(problem), state(problem), isMovable(problem.getNumItems(), false),
      best(start), taken(problem.getNumItems(), 0) {
  for (unsigned item = 0; item < problem.getNumItems(); ++item) {
    if (!problem.hasChoice(item))
      continue;
    isMovable[item] = true;
    movable.push_back(item);
  }
  state.assign(start);
  bestLoad = state.getLargest();
}

void Annealer::offer(const LoadSolution &solution) {
  state.assign(solution);
  if (state.getLargest() >= bestLoad)
    return;
  bestLoad = state.getLargest();
  best = solution;
}

/// An end of one of its nets.
unsigned Annealer::pickNeighbour(unsigned item) {
  llvm::ArrayRef<unsigned> nets = state.getNetsOfItems().get(item);
  if (nets.empty())
    return item;
  const LoadNet &net = problem.nets[nets[pick(nets.size())]];
  bool hasProducer = net.producer != kNoItem && net.producer != item;
  unsigned index = pick(net.readers.size() + hasProducer);
  return index == net.readers.size() ? net.producer : net.readers[index];
}

unsigned Annealer::pickDevice(unsigned item) {
  constexpr double kAnywhere = 0.05;
  unsigned neighbour = pickNeighbour(item);
  return neighbour == item || pickPart() < kAnywhere
             ? pick(problem.numDevices)
             : state.getDevice(neighbour);
}

/// Takes ends of the net along that stand with the item.
void Annealer::addEnds(const LoadNet &net, unsigned home, unsigned limit) {
  auto add = [&](unsigned end) {
    if (together.size() < limit && isMovable[end] && taken[end] != now &&
        state.getDevice(end) == home) {
      taken[end] = now;
      together.push_back(end);
    }
  };
  if (net.producer != kNoItem)
    add(net.producer);
  unsigned count = std::min<unsigned>(net.readers.size(), kMostEnds);
  unsigned first = pick(net.readers.size());
  for (unsigned i = 0; i < count; ++i)
    add(net.readers[(first + i) % net.readers.size()]);
}

/// The item, and now and then some around it.
void Annealer::collect(unsigned item) {
  constexpr double kAlone = 0.7;
  ++now;
  together.assign(1, item);
  taken[item] = now;
  if (pickPart() < kAlone)
    return;
  unsigned most = std::min<unsigned>(movable.size() / 4 + 1, kMostTogether);
  unsigned limit = 1 + pick(most);
  for (unsigned i = 0; i < together.size() && together.size() < limit; ++i)
    for (unsigned net : state.getNetsOfItems().get(together[i]))
      addEnds(problem.nets[net], state.getDevice(item), limit);
}

bool Annealer::canMove(unsigned device) const {
  return llvm::all_of(together, [&](unsigned item) {
    return problem.getTime(item, device) != kNoTime;
  });
}

/// Now and then an item that moves the other way.
unsigned Annealer::pickPartner(unsigned home, unsigned device) {
  constexpr double kExchange = 0.15;
  if (pickPart() >= kExchange)
    return kNoItem;
  unsigned partner = movable[pick(movable.size())];
  return state.getDevice(partner) == device &&
                 problem.getTime(partner, home) != kNoTime
             ? partner
             : kNoItem;
}

void Annealer::tryMove(double temperature) {
  unsigned item = movable[pick(movable.size())];
  unsigned home = state.getDevice(item), device = pickDevice(item);
  if (device == home)
    return;
  collect(item);
  if (!canMove(device))
    return;
  unsigned partner = pickPartner(home, device);
  auto exchange = [&](unsigned to, unsigned back) {
    for (unsigned moved : together)
      state.move(moved, to);
    if (partner != kNoItem)
      state.move(partner, back);
  };
  exchange(device, home);
  double changed = state.getPressure(reference);
  if (changed > pressure &&
      pickPart() >= std::exp((pressure - changed) / temperature)) {
    exchange(home, device);
    return;
  }
  pressure = changed;
  if (int64_t load = state.getLargest(); load < bestLoad) {
    bestLoad = load;
    best.assign(state.getDevices().begin(), state.getDevices().end());
  }
}

void Annealer::anneal(const LoadSolution &start, double hottest) {
  state.assign(start);
  reference = double(std::max<int64_t>(bestLoad, 1));
  pressure = state.getPressure(reference);
  uint64_t steps =
      std::min(kMovesPerItem * movable.size(), kMostMoves) / kStep + 1;
  double cooling = std::pow(kLast / hottest, 1.0 / double(steps));
  double temperature = hottest;
  for (uint64_t step = 0; step < steps; ++step, temperature *= cooling)
    for (uint64_t move = 0; move < kStep; ++move)
      tryMove(temperature);
}

LoadSolution mlir::hetero::searchLoads(const LoadProblem &problem,
                                       llvm::ArrayRef<LoadSolution> starts) {
  Annealer annealer(problem, starts.front());
  for (const LoadSolution &start : starts.drop_front())
    annealer.offer(start);
  if (!annealer.hasChoice())
    return annealer.getBest();
  for (const LoadSolution &slices : sliceOrders(problem, starts.front()))
    annealer.offer(slices);
  LoadSolution first = annealer.getBest();
  for (unsigned round = 0; round < kRounds; ++round) {
    LoadSolution start = round % 2 == 0 ? first : annealer.getBest();
    annealer.anneal(start, round == 0 ? kFirst : kNext);
  }
  return annealer.getBest();
}
