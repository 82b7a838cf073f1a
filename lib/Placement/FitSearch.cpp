//===- FitSearch.cpp - Placement within the memory of devices -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Placement/FitSearch.h"

#include "Annealing.h"
#include "FewPlacements.h"
#include "MemoryPeaks.h"
#include "Slices.h"

#include <algorithm>
#include <tuple>

using namespace mlir::hetero;

/// Reads and values that all looks of the search from one start may go over.
static constexpr double kMostWork = 1e8;
/// What a step of the price takes, of that.
static constexpr double kStepWork = 10;
/// Of the moves that seem to free memory at the least cost, how many are tried.
static constexpr size_t kMostTried = 6;
/// How often annealing is tried, with less and less memory for constants.
static constexpr unsigned kAnnealings = 3;
/// Units that move in a row.
static constexpr size_t kLongestRow = 64;

/// Bytes of the constants of each unit.
static std::vector<int64_t> getConstantBytes(const PlacementProblem &problem,
                                             const PlacementUnits &units) {
  std::vector<int64_t> bytes;
  for (const PlacementUnit &unit : units.getUnits()) {
    int64_t sum = 0;
    for (unsigned node : unit.nodes)
      for (unsigned value : units.getReads(node))
        if (problem.memory.values[value].constant >= 0)
          sum = addSaturating(sum, problem.getBytes(value));
    bytes.push_back(sum);
  }
  return bytes;
}

namespace {
/// The search from one assignment.
class FitSearch {
public:
  FitSearch(const PlacementProblem &problem, const ProblemLists &lists,
            const PlacementUnits &units, const std::vector<unsigned> &order,
            SearchGoal goal, const PlacementAssignment &start);

  /// Nothing if nothing that fits was found.
  std::optional<FittingAssignment> run();

private:
  using Cost = std::pair<int64_t, int64_t>;
  struct Move {
    unsigned unit, device;
    double price;
    bool operator<(const Move &other) const {
      return std::tuple(price, unit, device) <
             std::tuple(other.price, other.unit, other.device);
    }
  };

  Cost getCost() const { return pricer.getCost(goal); }
  unsigned getDevice(unsigned unit) const {
    return pricer.getAssignment().devices[units.getUnits()[unit].nodes.front()];
  }
  void move(unsigned unit, unsigned device);
  int64_t look();
  bool isExhausted() const {
    return kStepWork * double(pricer.getNumSteps()) + lookWork * numLooks >
           kMostWork;
  }
  double weigh(Cost before, Cost after) const;
  bool repair();
  std::vector<Move> findRelief();
  bool relieve(int64_t excess);
  bool relieveByRow(int64_t excess);
  bool improveUnits();
  bool improveRows();
  size_t moveRow(size_t begin, size_t length, unsigned device);
  void moveUnits(size_t begin, size_t end, unsigned device);
  bool tryRow(size_t begin, size_t length, unsigned device);
  bool exchange(unsigned unit, unsigned device, Cost best);
  bool accept(Cost best);

  const PlacementProblem &problem;
  const PlacementUnits &units;
  /// Units in an order of the program.
  const std::vector<unsigned> &order;
  SearchGoal goal;
  Pricer pricer;
  MemoryPeaks peaks;
  /// Of the constants and results of each unit.
  std::vector<int64_t> bytes;
  double lookWork, numLooks = 0;
  /// By device: its units, in the order of the program.
  std::vector<std::vector<unsigned>> residents;
};
} // namespace

FitSearch::FitSearch(const PlacementProblem &problem, const ProblemLists &lists,
                     const PlacementUnits &units,
                     const std::vector<unsigned> &order, SearchGoal goal,
                     const PlacementAssignment &start)
    : problem(problem), units(units), order(order), goal(goal),
      pricer(problem, lists, start), peaks(problem, lists),
      bytes(getConstantBytes(problem, units)) {
  lookWork = double(problem.reads.size() + 2 * problem.values.size() +
                    problem.nodes.size()) *
             (1 + 0.5 * problem.getNumDevices());
  for (unsigned unit = 0; unit < bytes.size(); ++unit)
    for (unsigned node : units.getUnits()[unit].nodes)
      for (unsigned value : lists.resultsOfNode.get(node))
        bytes[unit] = addSaturating(bytes[unit], problem.getBytes(value));
}

void FitSearch::move(unsigned unit, unsigned device) {
  for (unsigned node : units.getUnits()[unit].nodes)
    pricer.move(node, device);
}

/// Bytes beyond the memory of all devices.
int64_t FitSearch::look() {
  if (!problem.isLimited())
    return 0;
  peaks.find(pricer);
  ++numLooks;
  return peaks.getExcess();
}

/// A change of cost as one number: the sum counts where the largest load is the
/// same.
double FitSearch::weigh(Cost before, Cost after) const {
  double change = double(after.first) - double(before.first);
  constexpr double kSumPart = 1e-3;
  return goal == SearchGoal::Sum ? change
                                 : change + kSumPart * (double(after.second) -
                                                        double(before.second));
}

//===----------------------------------------------------------------------===//
// Repair
//===----------------------------------------------------------------------===//

/// Moves off devices that are short of memory, those first whose bytes are the
/// cheapest to be rid of.
std::vector<FitSearch::Move> FitSearch::findRelief() {
  Cost before = getCost();
  std::vector<Move> moves;
  std::vector<int64_t> excesses(problem.getNumDevices()),
      room(problem.getNumDevices());
  for (unsigned device = 0; device < problem.getNumDevices(); ++device) {
    excesses[device] = peaks.getExcess(device);
    room[device] = problem.capacities[device] - peaks.getPeak(device);
  }
  for (unsigned unit = 0; unit < units.getUnits().size(); ++unit) {
    unsigned home = getDevice(unit);
    if (excesses[home] == 0 || bytes[unit] == 0)
      continue;
    for (unsigned device : units.getUnits()[unit].devices) {
      if (device == home || excesses[device] != 0)
        continue;
      move(unit, device);
      double price = weigh(before, getCost());
      move(unit, home);
      double freed = double(std::min(bytes[unit], excesses[home]));
      double taken = std::max(0.0, double(bytes[unit]) - double(room[device]));
      if (taken >= freed)
        continue;
      moves.push_back({unit, device, price / (freed - taken)});
    }
  }
  std::sort(moves.begin(), moves.end());
  return moves;
}

/// Moves one unit so that less is in excess.
bool FitSearch::relieve(int64_t excess) {
  std::vector<Move> moves = findRelief();
  for (size_t i = 0; i < moves.size(); ++i) {
    if (i >= kMostTried && isExhausted())
      return false;
    unsigned home = getDevice(moves[i].unit);
    move(moves[i].unit, moves[i].device);
    if (look() < excess)
      return true;
    move(moves[i].unit, home);
  }
  return false;
}

/// Moves units that follow each other on a device that is short of memory, so
/// that less is in excess.
bool FitSearch::relieveByRow(int64_t excess) {
  look();
  std::vector<uint8_t> isShort(problem.getNumDevices());
  for (unsigned device = 0; device < problem.getNumDevices(); ++device)
    isShort[device] = peaks.getExcess(device) != 0;
  for (size_t begin = 0; begin < order.size(); ++begin) {
    unsigned home = getDevice(order[begin]);
    if (!isShort[home])
      continue;
    for (unsigned device : units.getUnits()[order[begin]].devices)
      for (size_t length = 2; device != home && length <= kLongestRow;
           length *= 2) {
        if (isExhausted())
          return false;
        size_t end = moveRow(begin, length, device);
        if (look() < excess)
          return true;
        moveUnits(begin, end, home);
      }
  }
  return false;
}

/// Makes it fit. False if no move frees memory any more.
bool FitSearch::repair() {
  for (int64_t excess = look(); excess != 0; excess = look())
    if (isExhausted() || (!relieve(excess) && !relieveByRow(excess)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Improvement
//===----------------------------------------------------------------------===//

/// Whether what stands there now is better and fits.
bool FitSearch::accept(Cost best) { return getCost() < best && look() == 0; }

/// The unit is on a device that has no room for it: whether something there may
/// go elsewhere, so that all is better and fits.
bool FitSearch::exchange(unsigned unit, unsigned device, Cost best) {
  int64_t excess = peaks.getExcess();
  std::vector<Move> moves;
  for (unsigned other : residents[device]) {
    if (other == unit || getDevice(other) != device || bytes[other] < excess)
      continue;
    for (unsigned target : units.getUnits()[other].devices) {
      if (target == device)
        continue;
      move(other, target);
      Cost cost = getCost();
      move(other, device);
      if (cost < best)
        moves.push_back({other, target, weigh(best, cost)});
    }
    if (isExhausted())
      return false;
  }
  std::sort(moves.begin(), moves.end());
  if (moves.size() > kMostTried)
    moves.resize(kMostTried);
  for (const Move &other : moves) {
    move(other.unit, other.device);
    if (accept(best))
      return true;
    move(other.unit, device);
  }
  return false;
}

/// Takes each move of one unit that is better and fits, or that does with an
/// exchange. False if there is none.
bool FitSearch::improveUnits() {
  bool isBetter = false;
  Cost best = getCost();
  residents.assign(problem.getNumDevices(), {});
  for (unsigned unit : order)
    residents[getDevice(unit)].push_back(unit);
  for (unsigned unit : order)
    for (unsigned device : units.getUnits()[unit].devices) {
      unsigned home = getDevice(unit);
      if (device == home)
        continue;
      if (isExhausted())
        return false;
      move(unit, device);
      if (getCost() < best) {
        if (look() == 0 || exchange(unit, device, best)) {
          residents[device].push_back(unit);
          best = getCost();
          isBetter = true;
          continue;
        }
      }
      move(unit, home);
    }
  return isBetter;
}

/// Moves units that follow each other on one device to another one. Returns
/// where they end.
size_t FitSearch::moveRow(size_t begin, size_t length, unsigned device) {
  unsigned home = getDevice(order[begin]);
  size_t end = begin;
  for (; end < order.size() && end < begin + length; ++end)
    if (getDevice(order[end]) != home ||
        !units.getUnits()[order[end]].isAllowed(device))
      break;
  moveUnits(begin, end, device);
  return end;
}

void FitSearch::moveUnits(size_t begin, size_t end, unsigned device) {
  for (size_t i = begin; i < end; ++i)
    move(order[i], device);
}

/// Moves a row if that is better and fits.
bool FitSearch::tryRow(size_t begin, size_t length, unsigned device) {
  Cost best = getCost();
  unsigned home = getDevice(order[begin]);
  size_t end = moveRow(begin, length, device);
  if (end - begin > 1 && accept(best))
    return true;
  moveUnits(begin, end, home);
  return false;
}

/// Moves rows of units: those at the end of a stretch on one device to the
/// device beside it, or anywhere.
bool FitSearch::improveRows() {
  bool isBetter = false;
  for (size_t begin = 0; begin < order.size(); ++begin)
    for (size_t length = 2; length <= kLongestRow; length *= 2) {
      for (unsigned device : units.getUnits()[order[begin]].devices) {
        if (isExhausted())
          return false;
        if (device != getDevice(order[begin]))
          isBetter |= tryRow(begin, length, device);
      }
    }
  return isBetter;
}

std::optional<FittingAssignment> FitSearch::run() {
  if (!repair())
    return std::nullopt;
  while (!isExhausted() && (improveUnits() || improveRows()))
    ;
  if (!pricer.isPossible())
    return std::nullopt;
  Cost cost = getCost();
  return FittingAssignment{pricer.getAssignment(), cost.first, cost.second};
}

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

/// What each device has for slices: its memory, less what it has of what does
/// not move.
static std::vector<int64_t> getBudgets(const PlacementProblem &problem,
                                       const ProblemLists &lists,
                                       const PlacementUnits &units,
                                       PlacementAssignment start) {
  if (!problem.isLimited())
    return problem.capacities;
  for (const PlacementUnit &unit : units.getUnits())
    if (unit.isAllowed(PlacementProblem::kHost))
      for (unsigned node : unit.nodes)
        start.devices[node] = PlacementProblem::kHost;
  Pricer pricer(problem, lists, std::move(start));
  MemoryPeaks peaks(problem, lists);
  peaks.find(pricer);
  std::vector<int64_t> budgets;
  for (unsigned device = 0; device < problem.getNumDevices(); ++device) {
    int64_t capacity = problem.capacities[device];
    budgets.push_back(
        capacity == PlacementProblem::kUnlimited
            ? capacity
            : std::max<int64_t>(capacity - peaks.getPeak(device), 0));
  }
  return budgets;
}

static std::vector<unsigned> getOrder(const PlacementUnits &units,
                                      const std::vector<UnitBlock> &blocks) {
  std::vector<unsigned> order;
  std::vector<uint8_t> isThere(units.getUnits().size(), false);
  for (const UnitBlock &block : blocks)
    for (unsigned node : block.nodes) {
      unsigned unit = units.getUnit(node);
      if (unit == PlacementUnits::kNone || isThere[unit])
        continue;
      isThere[unit] = true;
      order.push_back(unit);
    }
  return order;
}

namespace {
/// Searches from several assignments, and keeps what they find.
class FitSearches {
public:
  FitSearches(const PlacementProblem &problem,
              const std::vector<PlacementAssignment> &starts, SearchGoal goal,
              SearchEffort effort)
      : problem(problem), starts(starts), goal(goal), effort(effort),
        lists(problem), units(problem, lists, starts.front()) {}

  std::vector<FittingAssignment> run();

private:
  struct Start {
    PlacementAssignment assignment;
    std::vector<unsigned> order;
  };

  std::vector<Start> collectStarts(const std::vector<int64_t> &budgets) const;
  void keepBest(std::vector<Start> &candidates) const;
  void search(const Start &start);
  void annealFurther(const std::vector<unsigned> &order,
                     std::vector<int64_t> budgets);
  std::vector<int64_t>
  findExcesses(const PlacementAssignment &assignment) const;

  const PlacementProblem &problem;
  const std::vector<PlacementAssignment> &starts;
  SearchGoal goal;
  SearchEffort effort;
  ProblemLists lists;
  PlacementUnits units;
  std::vector<FittingAssignment> found;
};
} // namespace

std::vector<FitSearches::Start>
FitSearches::collectStarts(const std::vector<int64_t> &budgets) const {
  std::vector<UnitBlock> alongWays = units.getBlocksAlongWays();
  std::vector<UnitBlock> inProgramOrder = units.getBlocksInProgramOrder();
  std::vector<unsigned> programOrder = getOrder(units, inProgramOrder);
  std::vector<SliceGoal> sliceGoals = {SliceGoal::Sum};
  if (goal == SearchGoal::LargestLoad)
    sliceGoals.push_back(SliceGoal::Largest);
  std::vector<Start> candidates;
  for (const PlacementAssignment &start : starts)
    candidates.push_back({start, programOrder});
  for (const std::vector<UnitBlock> *blocks : {&alongWays, &inProgramOrder}) {
    std::vector<unsigned> order = getOrder(units, *blocks);
    for (PlacementAssignment &slices :
         placeBySlices(problem, lists, units, *blocks, starts.front(), budgets,
                       sliceGoals))
      candidates.push_back({std::move(slices), order});
  }
  return candidates;
}

/// Where everything fits, one search from the best of them does.
void FitSearches::keepBest(std::vector<Start> &candidates) const {
  std::vector<std::pair<int64_t, int64_t>> costs;
  for (const Start &start : candidates)
    costs.push_back(Pricer(problem, lists, start.assignment).getCost(goal));
  size_t best = std::min_element(costs.begin(), costs.end()) - costs.begin();
  candidates = {candidates[best]};
}

void FitSearches::search(const Start &start) {
  if (auto best =
          FitSearch(problem, lists, units, start.order, goal, start.assignment)
              .run())
    found.push_back(std::move(*best));
}

/// Annealing knows of constants alone. Where its assignment is short of memory,
/// it goes on with as much less for constants as lives beside them there.
void FitSearches::annealFurther(const std::vector<unsigned> &order,
                                std::vector<int64_t> budgets) {
  std::vector<int64_t> bytes = getConstantBytes(problem, units);
  for (unsigned round = 0; round < kAnnealings; ++round) {
    PlacementAssignment annealed =
        anneal(problem, lists, units,
               std::min_element(found.begin(), found.end())->assignment, bytes,
               budgets, goal);
    search({annealed, order});
    std::vector<int64_t> excesses = findExcesses(annealed);
    if (std::all_of(excesses.begin(), excesses.end(),
                    [](int64_t excess) { return excess == 0; }))
      return;
    for (unsigned device = 0; device < budgets.size(); ++device)
      budgets[device] =
          std::max<int64_t>(budgets[device] - excesses[device], 0);
  }
}

/// Bytes beyond the capacity of each device.
std::vector<int64_t>
FitSearches::findExcesses(const PlacementAssignment &assignment) const {
  std::vector<int64_t> excesses(problem.getNumDevices(), 0);
  if (!problem.isLimited())
    return excesses;
  MemoryPeaks peaks(problem, lists);
  peaks.find(Pricer(problem, lists, assignment));
  for (unsigned device = 0; device < problem.getNumDevices(); ++device)
    excesses[device] = peaks.getExcess(device);
  return excesses;
}

std::vector<FittingAssignment> FitSearches::run() {
  FewPlacements few(problem, lists, units, starts.front(), goal);
  if (few.areFew()) {
    if (std::optional<FittingAssignment> best = few.findBest())
      found.push_back(std::move(*best));
    return std::move(found);
  }
  std::vector<int64_t> budgets =
      getBudgets(problem, lists, units, starts.front());
  std::vector<Start> candidates = collectStarts(budgets);
  if (!problem.isLimited())
    keepBest(candidates);
  for (const Start &start : candidates)
    search(start);
  if (effort == SearchEffort::Annealing && !found.empty())
    annealFurther(candidates.front().order, std::move(budgets));
  std::sort(found.begin(), found.end());
  return std::move(found);
}

std::vector<FittingAssignment>
mlir::hetero::findFitting(const PlacementProblem &problem,
                          const std::vector<PlacementAssignment> &starts,
                          SearchGoal goal, SearchEffort effort) {
  return starts.empty() ? std::vector<FittingAssignment>()
                        : FitSearches(problem, starts, goal, effort).run();
}
