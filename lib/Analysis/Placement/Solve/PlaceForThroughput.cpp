//===- PlaceForThroughput.cpp - Places for many requests ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The starts are all that is open on one device, for each of them, the least
// sum and the greedy placement.
//
//===----------------------------------------------------------------------===//

#include "PlaceForThroughput.h"

#include "Analysis/Placement/Price/MachineLoads.h"
#include "Analysis/Placement/Price/Replicas.h"
#include "BuildProblem.h"
#include "PlaceGreedily.h"
#include "PlaceOptimally.h"
#include "hetero/Support/Solvers/LoadBound.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;

/// Placements are enumerated where there are no more than these.
static constexpr int64_t kFewPlacements = 4096;

Assignment mlir::hetero::placeOnOne(Assignment assignment, DeviceIndex device) {
  const PlacementGraph &graph = assignment.getGraph();
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    if (!graph.nodes[node].open || assignment.isReplicated(node))
      continue;
    DeviceIndex best = kNone;
    for (DeviceIndex other = 0; other < graph.topology.size(); ++other)
      if (graph.isAllowed(node, other) &&
          (best == kNone ||
           graph.getTime(node, other) < graph.getTime(node, best)))
        best = other;
    for (DeviceIndex wanted : {Topology::kHost, device})
      if (graph.isAllowed(node, wanted))
        best = wanted;
    assignment.setDevice(node, best);
  }
  return assignment;
}

Assignment mlir::hetero::makeOnce(const Assignment &open, Assignment decided) {
  const PlacementGraph &graph = open.getGraph();
  placeReplicas(decided);
  for (NodeIndex node = 0; node < graph.nodes.size(); ++node) {
    decided.setReplicated(node, open.isReplicated(node));
    if (open.isReplicated(node))
      decided.setDevice(node, open.getDevice(node));
  }
  return decided;
}

static SmallVector<Assignment, 0> getStarts(const Assignment &open,
                                            int64_t workLimit) {
  SmallVector<Assignment, 0> starts;
  for (DeviceIndex device = 0; device < open.getGraph().topology.size();
       ++device)
    starts.push_back(placeOnOne(open, device));
  starts.push_back(placeGreedily(open));
  starts.push_back(makeOnce(open, placeOptimally(open, workLimit).assignment));
  return starts;
}

/// The devices that each item may have.
static SmallVector<SmallVector<unsigned, 2>, 0>
getChoices(const LoadProblem &problem) {
  SmallVector<SmallVector<unsigned, 2>, 0> choices(problem.getNumItems());
  for (auto [item, devices] : llvm::enumerate(choices))
    for (DeviceIndex device = 0; device < problem.numDevices; ++device)
      if (problem.getTime(item, device) != kNoTime)
        devices.push_back(device);
  return choices;
}

bool mlir::hetero::hasFewPlacements(const LoadModel &model) {
  int64_t count = 1;
  for (ArrayRef<unsigned> devices : getChoices(model.getProblem()))
    if (llvm::MulOverflow<int64_t>(count, devices.size(), count) ||
        count > kFewPlacements)
      return false;
  return true;
}

void mlir::hetero::forEachPlacement(
    const LoadModel &model,
    llvm::function_ref<void(const LoadSolution &)> visit) {
  auto choices = getChoices(model.getProblem());
  SmallVector<unsigned, 0> numbers(choices.size(), 0);
  LoadSolution solution;
  for (ArrayRef<unsigned> devices : choices)
    solution.push_back(devices.front());
  for (bool isLast = false; !isLast;) {
    visit(solution);
    isLast = true;
    for (unsigned item = 0; isLast && item < choices.size(); ++item) {
      isLast = ++numbers[item] == choices[item].size();
      if (isLast)
        numbers[item] = 0;
      solution[item] = choices[item][numbers[item]];
    }
  }
}

Assignment mlir::hetero::placeForThroughput(const Assignment &open,
                                            int64_t workLimit) {
  if (open.getGraph().isDecided())
    return open;
  SmallVector<Assignment, 0> starts = getStarts(open, workLimit);
  SmallVector<Assignment, 0> found = searchPlacements(
      buildUnlimitedProblem(open.getGraph()), starts, SearchGoal::LargestLoad);
  // There is none where a value cannot get where it is needed.
  return found.empty() ? starts.front() : found.front();
}

int64_t mlir::hetero::computeLoadBound(const Assignment &open, int64_t cost) {
  if (open.getGraph().isDecided())
    return cost;
  LoadModel model(open);
  if (!hasFewPlacements(model))
    return boundLoads(model.getProblem(), cost).target + 1;
  int64_t least = INT64_MAX;
  forEachPlacement(model, [&](const LoadSolution &solution) {
    PlacementPrice price = computeLoads(model.getAssignment(solution));
    least = std::min(least, getLargest(price.loads));
  });
  return least;
}
