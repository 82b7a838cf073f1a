//===- FitSearchTest.cpp - The search, on problems of numbers -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chains of operations, each with a constant, whose best division is known.
//
//===----------------------------------------------------------------------===//

#include "hetero/Placement/FitSearch.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace mlir::hetero;

namespace {

constexpr int64_t kTime = 10, kCopy = 1, kBytes = 100;
constexpr unsigned kLength = 60;

/// Devices that compute alike, each with a link to each other; operations that
/// read the one before and a constant of their own, which is on every device.
PlacementProblem makeChain(unsigned numDevices, int64_t capacity) {
  PlacementProblem problem;
  problem.blocks.push_back({-1, 1.0});
  problem.sizes = {1, kBytes};
  for (unsigned from = 0; from < numDevices; ++from) {
    problem.devices.push_back(std::to_string(from));
    problem.capacities.push_back(from == PlacementProblem::kHost
                                     ? PlacementProblem::kUnlimited
                                     : capacity);
    problem.overlaps.push_back(true);
    for (unsigned to = 0; to < numDevices; ++to) {
      problem.next.push_back(to);
      problem.unified.push_back(from == to);
    }
  }
  for (size_t size = 0; size < problem.sizes.size(); ++size)
    for (unsigned from = 0; from < numDevices; ++from)
      for (unsigned to = 0; to < numDevices; ++to)
        problem.transfers.push_back(from == to ? 0 : kCopy);
  problem.times.assign(numDevices, 0);
  problem.times.insert(problem.times.end(), numDevices, kTime);
  problem.sets.emplace_back();
  for (unsigned device = 0; device < numDevices; ++device)
    problem.sets.back().push_back(device);
  return problem;
}

unsigned addNode(PlacementProblem &problem, bool isConstant) {
  unsigned node = problem.nodes.size();
  problem.nodes.push_back({ProblemNodeKind::Timed, /*block=*/0,
                           isConstant ? 0 : int64_t(problem.devices.size()),
                           /*allowed=*/0, /*isOpen=*/!isConstant,
                           /*isReplicable=*/isConstant, /*mayRepeat=*/false,
                           /*isRepeatable=*/false, /*group=*/-1});
  problem.values.push_back(
      {node, PlacementProblem::kHost, /*block=*/0, isConstant ? 1u : 0u});
  ProblemMemory::Value value;
  value.constant = isConstant ? int64_t(node) : -1;
  value.at = node + 1;
  problem.memory.values.push_back(value);
  return node;
}

void addRead(PlacementProblem &problem, unsigned node, unsigned value) {
  problem.reads.push_back({node, value, /*block=*/0});
  problem.memory.reads.push_back({node, node});
}

PlacementAssignment addOperations(PlacementProblem &problem) {
  PlacementAssignment start;
  for (unsigned i = 0; i < kLength; ++i) {
    unsigned constant = addNode(problem, /*isConstant=*/true);
    unsigned operation = addNode(problem, /*isConstant=*/false);
    addRead(problem, operation, constant);
    if (i != 0)
      addRead(problem, operation, operation - 2);
    start.devices.insert(start.devices.end(), 2, PlacementProblem::kHost);
    start.isReplicated.insert(start.isReplicated.end(), {true, false});
  }
  int64_t last = int64_t(problem.nodes.size()) - 1;
  problem.memory.blocks.push_back({0, 0});
  problem.memory.functions.push_back({{0, last}, /*isRoot=*/true});
  problem.memory.order = {0};
  return start;
}

std::vector<int64_t> countBytes(const PlacementProblem &problem,
                                const PlacementAssignment &assignment) {
  std::vector<int64_t> bytes(problem.devices.size(), 0);
  for (unsigned node = 0; node < problem.nodes.size(); ++node)
    if (!assignment.isReplicated[node])
      bytes[assignment.devices[node]] += kBytes;
  return bytes;
}

TEST(FitSearchTest, DividesAChain) {
  for (unsigned numDevices = 2; numDevices <= 5; ++numDevices) {
    SCOPED_TRACE(numDevices);
    PlacementProblem problem =
        makeChain(numDevices, PlacementProblem::kUnlimited);
    PlacementAssignment start = addOperations(problem);
    std::vector<FittingAssignment> found = findFitting(
        problem, {start}, SearchGoal::LargestLoad, SearchEffort::Annealing);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().cost, int64_t(kLength / numDevices) * kTime);
  }
}

/// What does not fit on the accelerators is on the host, in as few pieces as
/// there are devices.
TEST(FitSearchTest, FitsAChain) {
  for (unsigned numDevices = 3; numDevices <= 5; ++numDevices) {
    SCOPED_TRACE(numDevices);
    // A value before and after each operation takes a byte.
    int64_t capacity = kLength / numDevices * kBytes + 4;
    PlacementProblem problem = makeChain(numDevices, capacity);
    // The host is slow.
    problem.times[numDevices] = 100 * kTime;
    PlacementAssignment start = addOperations(problem);
    for (SearchGoal goal : {SearchGoal::Sum, SearchGoal::LargestLoad}) {
      std::vector<FittingAssignment> found =
          findFitting(problem, {start}, goal, SearchEffort::Annealing);
      ASSERT_FALSE(found.empty());
      std::vector<int64_t> bytes =
          countBytes(problem, found.front().assignment);
      for (unsigned device = 1; device < numDevices; ++device)
        EXPECT_LE(bytes[device], capacity);
      int64_t onHost = kLength / numDevices;
      EXPECT_LE(found.front().cost, goal == SearchGoal::Sum
                                        ? onHost * 100 * kTime +
                                              (kLength - onHost) * kTime +
                                              (numDevices - 1) * kCopy
                                        : onHost * 100 * kTime);
    }
  }
}

/// Nothing is found where the least memory of an operation is too much.
TEST(FitSearchTest, SaysThatNothingFits) {
  PlacementProblem problem = makeChain(2, kBytes / 2);
  problem.sets.front() = {1};
  PlacementAssignment start = addOperations(problem);
  for (unsigned &device : start.devices)
    device = 1;
  EXPECT_TRUE(
      findFitting(problem, {start}, SearchGoal::Sum, SearchEffort::Moves)
          .empty());
}

} // namespace
