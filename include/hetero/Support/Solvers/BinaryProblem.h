//===- BinaryProblem.h - Exact choice between two sides ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Minimizes a sum of costs over variables that are 0 or 1: a cost per variable
// and value, and costs of arcs, paid when the tail is 0 and the head is 1. That
// is a minimum cut (Stone 1977, IEEE TSE 3(1):85-93), found exactly. Of several
// minima it is the one with the fewest ones: ones in it are ones in all.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_BINARYPROBLEM_H
#define HETERO_SUPPORT_SOLVERS_BINARYPROBLEM_H

#include "hetero/Support/Solvers/MaxFlow.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::hetero {

class BinaryProblem {
public:
  using Variable = unsigned;
  /// Cost of what must not be. Other costs may have any size; where their sum
  /// is too large for the arithmetic, all of them lose their low bits.
  static constexpr int64_t kInfinite = INT64_MAX;

  Variable addVariable() {
    preference.push_back(0);
    return preference.size() - 1;
  }
  /// Neither cost is negative.
  void addCost(Variable variable, int64_t ifZero, int64_t ifOne);
  /// Costs `cost` if the tail is 0 and the head is 1. An arc right after one
  /// of the other direction takes no memory of its own.
  void addArc(Variable tail, Variable head, int64_t cost) {
    if (tail == head || cost == 0)
      return;
    FlowEdge *last = arcs.empty() ? nullptr : &arcs.back();
    if (last && last->from == head && last->to == tail && last->reverse == 0)
      last->reverse = cost;
    else
      arcs.push_back({tail, head, cost, 0});
  }
  /// Makes room for as many arcs.
  void reserveArcs(size_t count) { arcs.reserve(count); }
  unsigned getNumVariables() const { return preference.size(); }

  /// The value of each variable. Consumes the problem. The cut stops after
  /// `workLimit` looks at each edge of its network, on average; 0 is no limit.
  llvm::SmallVector<uint8_t, 0> solve(int64_t workLimit = 0);

  /// What reductions left to the cut, after `solve`.
  unsigned getNumCutVariables() const { return numCut; }
  /// What the sum may be above the minimum, after `solve`.
  int64_t getGap() const { return gap; }

private:
  friend class BinarySolver;

  void fitCosts();
  bool mayReduce() const;
  /// The sides of a minimum cut of what is left.
  llvm::SmallVector<uint8_t, 0> cut(llvm::ArrayRef<int64_t> terminals,
                                    llvm::ArrayRef<FlowEdge> edges,
                                    int64_t workLimit);

  /// Cost of 1 less cost of 0.
  llvm::SmallVector<int64_t, 0> preference;
  /// What is left of them in the end becomes the network of the cut.
  llvm::SmallVector<FlowEdge, 0> arcs;
  /// How many low bits the costs lose.
  unsigned shift = 0;
  unsigned numCut = 0;
  int64_t gap = 0;
};

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_BINARYPROBLEM_H
