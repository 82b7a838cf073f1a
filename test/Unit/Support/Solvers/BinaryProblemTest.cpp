//===- BinaryProblemTest.cpp - Cuts against enumeration -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Solvers/BinarySolver.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
constexpr int64_t kForbidden = 1000000000;

struct Arc {
  unsigned tail, head;
  int64_t cost;
};

struct Instance {
  std::vector<int64_t> preference;
  std::vector<Arc> arcs;

  int64_t getCost(unsigned ones) const {
    int64_t cost = 0;
    for (size_t i = 0; i < preference.size(); ++i)
      if (ones >> i & 1)
        cost += preference[i];
    for (const Arc &arc : arcs)
      if (!(ones >> arc.tail & 1) && (ones >> arc.head & 1))
        cost += std::min(arc.cost, kForbidden);
    return cost;
  }

  BinaryProblem getProblem() const {
    BinaryProblem problem;
    for (int64_t amount : preference)
      problem.addCost(problem.addVariable(), std::max<int64_t>(-amount, 0),
                      std::max<int64_t>(amount, 0));
    for (const Arc &arc : arcs)
      problem.addArc(arc.tail, arc.head, arc.cost);
    return problem;
  }

  /// The ones that all minima share are the minimum with the fewest ones.
  unsigned enumerate() const {
    int64_t best = INT64_MAX;
    unsigned common = 0;
    for (unsigned ones = 0; ones < 1u << preference.size(); ++ones) {
      int64_t cost = getCost(ones);
      if (cost < best)
        common = ~0u;
      best = std::min(best, cost);
      if (cost == best)
        common &= ones;
    }
    return common;
  }
};

unsigned toBits(ArrayRef<uint8_t> values) {
  unsigned bits = 0;
  for (auto [index, value] : llvm::enumerate(values))
    bits |= unsigned(value) << index;
  return bits;
}

Instance makeRandom(std::mt19937 &random) {
  auto below = [&](unsigned bound) { return unsigned(random() % bound); };
  Instance instance;
  unsigned n = 1 + below(11), range = 1 + below(12);
  for (unsigned i = 0; i < n; ++i)
    instance.preference.push_back(int64_t(below(2 * range + 1)) - range);
  // Sparse ones are reduced, dense ones are cut at once.
  unsigned density = below(4) == 0 ? n * n : 3 * n;
  for (unsigned i = 0, e = below(density + 1); i < e; ++i)
    instance.arcs.push_back(
        {below(n), below(n),
         below(6) == 0 ? BinaryProblem::kInfinite : int64_t(below(range + 1))});
  return instance;
}

TEST(BinaryProblemTest, FindsTheMinimumWithTheFewestOnes) {
  std::mt19937 random(7);
  unsigned needsCut = 0, isCutAtOnce = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    Instance instance = makeRandom(random);
    BinaryProblem problem = instance.getProblem();
    unsigned found = toBits(problem.solve());
    needsCut += problem.getNumCutVariables() != 0;
    isCutAtOnce += problem.getNumCutVariables() == instance.preference.size();
    ASSERT_EQ(found, instance.enumerate()) << "round " << round;
  }
  // The flow is tested too, not only the reductions.
  EXPECT_GT(needsCut, 200u);
  EXPECT_GT(isCutAtOnce, 200u);
}

TEST(BinaryProblemTest, HugeCostsKeepTheirOrder) {
  BinaryProblem problem;
  for (unsigned i = 0; i < 3; ++i)
    problem.addVariable();
  problem.addCost(0, INT64_MAX - 1, 0);
  problem.addCost(0, 0, INT64_MAX / 2);
  problem.addCost(1, INT64_MAX - 1, INT64_MAX / 4);
  problem.addArc(1, 0, INT64_MAX - 1);
  problem.addCost(2, 0, BinaryProblem::kInfinite);
  problem.addCost(2, INT64_MAX - 1, 0);
  SmallVector<uint8_t, 0> values = problem.solve();
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], 1);
  EXPECT_EQ(values[2], 0);
}

TEST(BinaryProblemTest, ChainsNeedNoCut) {
  constexpr unsigned kLength = 1000000;
  BinaryProblem problem;
  for (unsigned i = 0; i < kLength; ++i) {
    problem.addVariable();
    problem.addCost(i, i % 2 ? 0 : 2, i % 2 ? 3 : 0);
    if (i != 0) {
      problem.addArc(i - 1, i, 5);
      problem.addArc(i, i - 1, 5);
    }
  }
  SmallVector<uint8_t, 0> values = problem.solve();
  EXPECT_EQ(problem.getNumCutVariables(), 0u);
  EXPECT_TRUE(llvm::all_of(values, [](uint8_t value) { return value == 0; }));
}
} // namespace
