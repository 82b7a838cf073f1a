//===- LoadBoundTest.cpp - Bounds of loads against enumeration ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random problems with few items on machines with and without a link between
// each two devices, and with devices that compute while they copy and that do
// not: no bound is above the least largest load of all solutions.
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/LoadBound.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace mlir::hetero;

namespace {

/// A link between each two devices, or between the first and each other one.
void addMachine(LoadProblem &problem, bool isStar, std::mt19937 &random) {
  unsigned count = problem.numDevices;
  llvm::SmallVector<unsigned> linkOf(count * count);
  problem.routes.resize(count * count);
  for (unsigned from = 0; from < count; ++from) {
    problem.overlaps.push_back(random() % 2);
    for (unsigned to = 0; to < count; ++to) {
      if (from == to || (isStar && from != 0 && to != 0))
        continue;
      linkOf[from * count + to] = problem.links.size();
      problem.links.push_back({from, to});
      problem.routes[from * count + to] = {linkOf[from * count + to]};
    }
  }
  for (unsigned from = 1; isStar && from < count; ++from)
    for (unsigned to = 1; to < count; ++to)
      if (from != to)
        problem.routes[from * count + to] = {linkOf[from * count], linkOf[to]};
}

LoadProblem makeProblem(unsigned numItems, unsigned numDevices,
                        std::mt19937 &random) {
  LoadProblem problem;
  problem.numDevices = numDevices;
  addMachine(problem, random() % 2, random);
  for (unsigned item = 0; item < numItems; ++item) {
    unsigned sure = random() % numDevices;
    for (unsigned device = 0; device < numDevices; ++device)
      problem.times.push_back(
          device != sure && random() % 5 == 0 ? kNoTime : random() % 100);
  }
  for (unsigned item = 0; item + 1 < numItems; ++item) {
    LoadNet net;
    bool isAgain = random() % 5 == 0;
    net.producer = isAgain ? kNoItem : item;
    net.costs = problem.costs.size();
    for (unsigned reader = item + 1; reader < numItems; ++reader)
      if (random() % 3 == 0)
        net.readers.push_back(reader);
    if (net.readers.empty())
      continue;
    for (unsigned i = 0; i < (isAgain ? numDevices : problem.links.size()); ++i)
      problem.costs.push_back(random() % 40);
    problem.nets.push_back(net);
  }
  return problem;
}

/// Calls `visit` with each solution.
template <typename Visitor>
void forEachSolution(const LoadProblem &problem, Visitor &&visit) {
  LoadSolution solution(problem.getNumItems(), 0);
  auto isPossible = [&] {
    for (unsigned item = 0; item < solution.size(); ++item)
      if (problem.getTime(item, solution[item]) == kNoTime)
        return false;
    return true;
  };
  while (true) {
    if (isPossible())
      visit(solution);
    unsigned item = 0;
    while (item < solution.size() && ++solution[item] == problem.numDevices)
      solution[item++] = 0;
    if (item == solution.size())
      return;
  }
}

/// The largest load: items, and nets on each link on the way to a reader.
int64_t getLoad(const LoadProblem &problem, const LoadSolution &solution) {
  llvm::SmallVector<int64_t> devices(problem.numDevices, 0),
      links(problem.links.size(), 0);
  for (unsigned item = 0; item < solution.size(); ++item)
    devices[solution[item]] += problem.getTime(item, solution[item]);
  for (const LoadNet &net : problem.nets) {
    std::set<unsigned> ends, crossed;
    for (unsigned reader : net.readers)
      ends.insert(solution[reader]);
    for (unsigned end : ends) {
      if (net.producer == kNoItem)
        devices[end] += problem.getCosts(net)[end];
      else if (end != solution[net.producer])
        for (unsigned link : problem.getRoute(solution[net.producer], end))
          crossed.insert(link);
    }
    for (unsigned link : crossed) {
      int64_t time = problem.getCosts(net)[link];
      links[link] += time;
      for (unsigned end : {problem.links[link].from, problem.links[link].to})
        devices[end] += problem.overlaps[end] ? 0 : time;
    }
  }
  return std::max(*std::max_element(devices.begin(), devices.end()),
                  *std::max_element(links.begin(), links.end()));
}

TEST(LoadBoundTest, IsBelowTheLeast) {
  unsigned numProved = 0;
  constexpr unsigned kProblems = 60;
  for (unsigned seed = 0; seed < kProblems; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    unsigned numDevices = 2 + seed % 3;
    LoadProblem problem =
        makeProblem(numDevices == 4 ? 5 : 7, numDevices, random);
    int64_t least = INT64_MAX;
    forEachSolution(problem, [&](const LoadSolution &solution) {
      least = std::min(least, getLoad(problem, solution));
    });
    LoadProof proof = boundLoads(problem, least);
    EXPECT_LT(proof.target, least);
    numProved += proof.target + 1 == least;
  }
  // A bound that is always below would pass as well.
  EXPECT_GE(numProved, kProblems / 8);
}

/// A chain can be no better than cut into equal parts.
TEST(LoadBoundTest, DividesAChain) {
  std::mt19937 random(0);
  LoadProblem problem;
  problem.numDevices = 4;
  addMachine(problem, /*isStar=*/false, random);
  constexpr unsigned kLength = 400;
  problem.times.assign(kLength * 4, 10);
  problem.costs.assign(problem.links.size(), 1);
  for (unsigned item = 0; item + 1 < kLength; ++item)
    problem.nets.push_back({item, {item + 1}, 0});
  EXPECT_EQ(boundLoads(problem, int64_t(kLength) * 10 / 4 + 2).target + 1,
            int64_t(kLength) * 10 / 4);
}

/// Two long items that exchange much cannot be apart, so that three devices are
/// of no use.
TEST(LoadBoundTest, ProvesThatItemsStayTogether) {
  std::mt19937 random(0);
  LoadProblem problem;
  problem.numDevices = 3;
  addMachine(problem, /*isStar=*/false, random);
  problem.times.assign(2 * 3, 50);
  problem.costs.assign(problem.links.size(), 200);
  problem.nets.push_back({0, {1}, 0});
  LoadProof proof = boundLoads(problem, 100);
  EXPECT_EQ(proof.target, 99);
  EXPECT_EQ(proof.rounds.size(), 1u);
}

/// Times as long as a sum of two may be.
TEST(LoadBoundTest, TimesAreLong) {
  std::mt19937 random(0);
  LoadProblem problem;
  problem.numDevices = 2;
  addMachine(problem, /*isStar=*/false, random);
  problem.times.assign(2 * 2, INT64_MAX / 4);
  EXPECT_EQ(boundLoads(problem, INT64_MAX / 4).target, INT64_MAX / 4 - 1);
}

} // namespace
