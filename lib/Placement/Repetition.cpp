//===- Repetition.cpp - What is made again instead of copied --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Placement/Repetition.h"

#include "Pricer.h"

using namespace mlir::hetero;

/// Sweeps over all nodes; few are needed.
static constexpr unsigned kMostSweeps = 8;

/// Whether the node is made only where it may be; somewhere, unless it may be
/// left out.
static bool isAllowedWhereMade(const PlacementProblem &problem,
                               const Pricer &pricer, unsigned node) {
  bool isMade = problem.nodes[node].mayRepeat;
  for (unsigned device = 0; device < problem.getNumDevices(); ++device) {
    if (!pricer.isOn(node, device))
      continue;
    if (!problem.isAllowed(node, device))
      return false;
    isMade = true;
  }
  return isMade;
}

/// Leaves the node where that is the cheapest: on one device, of equal ones the
/// first, or made again. True if it changed.
static bool settle(const PlacementProblem &problem, Pricer &pricer,
                   unsigned node) {
  struct Choice {
    unsigned device;
    bool isReplicated;
  };
  const Choice before = {pricer.getAssignment().devices[node],
                         bool(pricer.getAssignment().isReplicated[node])};
  Choice best = before;
  int64_t least = pricer.getSum();
  auto offer = [&](Choice choice) {
    pricer.set(node, choice.device, choice.isReplicated);
    if (pricer.getSum() >= least || !isAllowedWhereMade(problem, pricer, node))
      return;
    least = pricer.getSum();
    best = choice;
  };
  if (before.isReplicated)
    for (unsigned device = 0; device < problem.getNumDevices(); ++device) {
      if (problem.isAllowed(node, device))
        offer({device, false});
    }
  else
    offer({PlacementAssignment::kUndecided, true});
  pricer.set(node, best.device, best.isReplicated);
  return best.isReplicated != before.isReplicated;
}

PlacementAssignment
mlir::hetero::repeatWhereCheaper(const PlacementProblem &problem,
                                 PlacementAssignment decided) {
  ProblemLists lists(problem);
  std::vector<unsigned> nodes;
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    if (const ProblemNode &n = problem.nodes[node];
        n.mayRepeat || (n.isRepeatable && n.group < 0))
      nodes.push_back(node);
  if (nodes.empty())
    return decided;
  Pricer pricer(problem, lists, std::move(decided));
  bool isBetter = true;
  for (unsigned sweep = 0; isBetter && sweep < kMostSweeps; ++sweep) {
    isBetter = false;
    for (unsigned node : nodes)
      isBetter |= settle(problem, pricer, node);
  }
  return pricer.getAssignment();
}
