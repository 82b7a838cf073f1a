//===- MaxFlowTest.cpp - Cuts with and without a limit --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/MaxFlow.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
struct Network {
  SmallVector<int64_t, 0> terminals;
  SmallVector<FlowEdge, 0> edges;

  int64_t getCost(unsigned sinks) const {
    int64_t cost = 0;
    for (auto [vertex, terminal] : llvm::enumerate(terminals))
      if ((sinks >> vertex & 1) == (terminal > 0))
        cost += std::abs(terminal);
    for (const FlowEdge &edge : edges) {
      bool from = sinks >> edge.from & 1, to = sinks >> edge.to & 1;
      if (from != to)
        cost += to ? edge.capacity : edge.reverse;
    }
    return cost;
  }
  int64_t enumerate() const {
    int64_t best = INT64_MAX;
    for (unsigned sinks = 0; sinks < 1u << terminals.size(); ++sinks)
      best = std::min(best, getCost(sinks));
    return best;
  }
};

Network makeRandom(std::mt19937 &random) {
  auto below = [&](unsigned bound) { return unsigned(random() % bound); };
  Network network;
  unsigned n = 2 + below(10);
  for (unsigned i = 0; i < n; ++i)
    network.terminals.push_back(int64_t(below(41)) - 20);
  for (unsigned i = 0, e = 1 + below(4 * n); i < e; ++i) {
    unsigned from = below(n), to = below(n);
    if (from != to)
      network.edges.push_back({from, to,
                               below(5) == 0 ? FlowEdge::kInfinite : below(20),
                               int64_t(below(20))});
  }
  return network;
}

unsigned toBits(ArrayRef<uint8_t> values) {
  unsigned bits = 0;
  for (auto [index, value] : llvm::enumerate(values))
    bits |= unsigned(value) << index;
  return bits;
}
} // namespace

// Whenever the search stops, the minimum is within the gap of the cut that it
// gives, and the cut keeps what must not be cut together.
TEST(MaxFlowTest, StopsWithABound) {
  std::mt19937 random(11);
  unsigned stopped = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    Network network = makeRandom(random);
    int64_t least = network.enumerate();
    for (uint64_t maxWork : {1, 3, 6, 12, 25, 0}) {
      MinimumCut cut =
          findMinimumCut(network.terminals, network.edges, maxWork);
      int64_t cost = network.getCost(toBits(cut.isSink));
      ASSERT_LT(cost, FlowEdge::kInfinite);
      ASSERT_LE(cost - cut.gap, least) << "round " << round;
      ASSERT_LE(least, cost);
      stopped += cut.gap != 0;
      if (maxWork == 0)
        ASSERT_EQ(cut.gap, 0);
    }
  }
  EXPECT_GT(stopped, 200u);
}

// A long path between the terminals needs no recursion and linear time.
TEST(MaxFlowTest, FollowsLongPaths) {
  constexpr unsigned kLength = 300000;
  SmallVector<int64_t, 0> terminals(kLength, 0);
  SmallVector<FlowEdge, 0> edges;
  for (unsigned i = 0; i + 1 < kLength; ++i)
    edges.push_back({i, i + 1, 10 + (i == kLength / 3 ? -5 : 0), 0});
  terminals.front() = 100;
  terminals.back() = -100;
  MinimumCut cut = findMinimumCut(terminals, edges);
  EXPECT_EQ(llvm::count(cut.isSink, 1), kLength - kLength / 3 - 1);
}
