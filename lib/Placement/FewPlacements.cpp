//===- FewPlacements.cpp - All assignments, where they are few ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FewPlacements.h"

#include "MemoryPeaks.h"

using namespace mlir::hetero;

/// True if the node may be made wherever it is needed, which is somewhere.
static bool mayReplicate(const PlacementProblem &problem,
                         const ProblemLists &lists, unsigned node) {
  const ProblemNode &n = problem.nodes[node];
  if (n.group >= 0)
    return false;
  if (n.mayRepeat)
    return true;
  bool isNeeded = false;
  for (unsigned value : lists.resultsOfNode.get(node))
    isNeeded |= !lists.readsOfValue.get(value).empty() ||
                !lists.usesOfValue.get(value).empty() ||
                !lists.partsOfValue.get(value).empty();
  return n.isRepeatable && isNeeded;
}

FewPlacements::FewPlacements(const PlacementProblem &problem,
                             const ProblemLists &lists,
                             const PlacementUnits &units,
                             const PlacementAssignment &start, SearchGoal goal)
    : problem(problem), lists(lists), start(start), goal(goal) {
  bool isSum = goal == SearchGoal::Sum;
  for (const PlacementUnit &unit : units.getUnits()) {
    bool isOpen = isSum && mayReplicate(problem, lists, unit.nodes.front());
    choices.push_back({unit.nodes, unit.devices, isOpen});
  }
  for (unsigned node = 0; node < problem.nodes.size(); ++node) {
    if (!isSum || !start.isReplicated[node] ||
        !mayReplicate(problem, lists, node))
      continue;
    Choice &choice = choices.emplace_back();
    choice.nodes.push_back(node);
    for (unsigned device = 0; device < problem.getNumDevices(); ++device)
      if (problem.isAllowed(node, device))
        choice.devices.push_back(device);
    choice.mayReplicate = true;
  }
  for (const Choice &choice : choices)
    count *= double(choice.size());
}

void FewPlacements::Choice::take(size_t number, Pricer &pricer) const {
  bool isReplicated = number == devices.size();
  for (unsigned node : nodes)
    pricer.set(node,
               isReplicated ? PlacementAssignment::kUndecided : devices[number],
               isReplicated);
}

std::optional<FittingAssignment> FewPlacements::findBest() const {
  std::optional<FittingAssignment> best;
  Pricer pricer(problem, lists, start);
  MemoryPeaks peaks(problem, lists);
  std::vector<size_t> numbers(choices.size(), 0);
  for (const Choice &choice : choices)
    choice.take(0, pricer);
  while (true) {
    auto [cost, sum] = pricer.getCost(goal);
    bool isBetter =
        !best || std::pair(cost, sum) < std::pair(best->cost, best->sum);
    if (pricer.isPossible() && isBetter) {
      if (problem.isLimited())
        peaks.find(pricer);
      if (peaks.getExcess() == 0)
        best = {pricer.getAssignment(), cost, sum};
    }
    // The next one, as an odometer counts.
    size_t choice = 0;
    for (; choice < choices.size(); ++choice) {
      numbers[choice] = numbers[choice] + 1 == choices[choice].size()
                            ? 0
                            : numbers[choice] + 1;
      choices[choice].take(numbers[choice], pricer);
      if (numbers[choice] != 0)
        break;
    }
    if (choice == choices.size())
      return best;
  }
}
