//===- LatencySearchTest.cpp - Places work that overlaps ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/LatencySearch.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir::hetero;

namespace {
/// Devices that are all joined, and copy while they compute.
LatencyProblem getJoinedDevices(unsigned numDevices) {
  LatencyProblem problem;
  problem.numDevices = numDevices;
  problem.numEngines = 3 * numDevices;
  problem.budgets.assign(numDevices, INT64_MAX);
  problem.keepsOrder.assign(numDevices, false);
  problem.keepsOrder[0] = true;
  problem.routes.resize(numDevices * numDevices);
  problem.engines.resize(numDevices * numDevices);
  for (unsigned from = 0; from < numDevices; ++from)
    for (unsigned to = 0; to < numDevices; ++to)
      if (from != to) {
        problem.routes[from * numDevices + to].push_back(to);
        problem.engines[from * numDevices + to] = {numDevices + from,
                                                   2 * numDevices + to};
      }
  return problem;
}

/// An item that takes these times, reads values, and makes one that takes
/// `cost` to copy.
unsigned addItem(LatencyProblem &problem, llvm::ArrayRef<int64_t> times,
                 llvm::ArrayRef<unsigned> reads, int64_t cost) {
  unsigned item = problem.items.size(), value = problem.values.size();
  LatencyItem entry;
  entry.reads.assign(reads.begin(), reads.end());
  entry.results.push_back(value);
  problem.items.push_back(std::move(entry));
  problem.units.push_back(item);
  problem.times.append(times.begin(), times.end());
  LatencyValue made;
  made.producer = item;
  made.costs = problem.costs.size();
  for (unsigned pair = 0; pair < problem.numDevices * problem.numDevices;
       ++pair)
    problem.costs.push_back(cost);
  problem.values.push_back(std::move(made));
  return value;
}

TEST(LatencySearchTest, BranchesAreApart) {
  LatencyProblem problem = getJoinedDevices(2);
  unsigned first = addItem(problem, {1, 1}, {}, 1);
  unsigned left = addItem(problem, {10, 10}, {first}, 1);
  unsigned right = addItem(problem, {10, 10}, {first}, 1);
  addItem(problem, {1, 1}, {left, right}, 1);
  auto found = searchLatency(problem, {}, 4);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.back()[1], found.back()[2]);
}

TEST(LatencySearchTest, AChainStaysTogether) {
  LatencyProblem problem = getJoinedDevices(3);
  unsigned value = addItem(problem, {5, 4, 5}, {}, 3);
  for (unsigned i = 0; i < 5; ++i)
    value = addItem(problem, {5, 4, 5}, {value}, 3);
  auto found = searchLatency(problem, {}, 4);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back(), LatencySolution(6, 1));
}

/// What items of one unit weigh, they weigh together, wherever it is the best.
TEST(LatencySearchTest, BudgetsHold) {
  LatencyProblem problem = getJoinedDevices(2);
  for (unsigned i = 0; i < 6; ++i) {
    addItem(problem, {9, 1}, {}, 1);
    problem.items.back().weight = 10;
  }
  problem.units = {0, 0, 1, 2, 3, 4};
  problem.budgets[1] = 35;
  auto found = searchLatency(problem, {LatencySolution(5, 0)}, 4);
  ASSERT_FALSE(found.empty());
  for (const LatencySolution &solution : found) {
    int64_t weight = 0;
    for (unsigned unit : problem.units)
      weight += solution[unit] == 1 ? 10 : 0;
    EXPECT_LE(weight, 35);
  }
  EXPECT_EQ(llvm::count(found.back(), 1u) + (found.back()[0] == 1), 3);
}

/// Items that cannot be on a device are not, whatever is faster; and the search
/// returns the same each time.
TEST(LatencySearchTest, DevicesArePossible) {
  std::mt19937 random(5);
  LatencyProblem problem = getJoinedDevices(3);
  for (unsigned i = 0; i < 60; ++i) {
    llvm::SmallVector<unsigned> reads;
    for (unsigned j = i > 6 ? i - 6 : 0; j < i; ++j)
      if (random() % 3 == 0)
        reads.push_back(j);
    llvm::SmallVector<int64_t> times;
    for (unsigned device = 0; device < 3; ++device)
      times.push_back(device != 0 && random() % 3 == 0 ? LatencyProblem::kNever
                                                       : 1 + random() % 20);
    addItem(problem, times, reads, random() % 10);
  }
  auto found = searchLatency(problem, {LatencySolution(60, 0)}, 4);
  ASSERT_FALSE(found.empty());
  for (const LatencySolution &solution : found)
    for (unsigned item = 0; item < 60; ++item)
      EXPECT_NE(problem.getTime(item, solution[item]), LatencyProblem::kNever);
  EXPECT_EQ(found, searchLatency(problem, {LatencySolution(60, 0)}, 4));
}
} // namespace
