//===- BinaryProblem.cpp - Exact choice between two sides -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Costs of any size are fitted to the arithmetic of the network. Reductions
// come first where they find something to do; else they would only copy the
// problem, which takes as long as the cut of what is hard to cut at all.
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/BinaryProblem.h"
#include "hetero/Support/Assert.h"

#include "BinarySolver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Networks with fewer edges than this have the limit of one with so many.
static constexpr uint64_t kMinEdges = 1000;

static bool isForced(int64_t preference) {
  return preference == INT64_MAX || preference == -INT64_MAX;
}

void BinaryProblem::addCost(Variable variable, int64_t ifZero, int64_t ifOne) {
  HETERO_ASSERT(ifZero >= 0 && ifOne >= 0, "costs are no gains");
  int64_t &sum = preference[variable];
  if (isForced(sum))
    return;
  if (ifZero == ifOne)
    return;
  if (ifOne == kInfinite || ifZero == kInfinite) {
    sum = ifOne == kInfinite ? INT64_MAX : -INT64_MAX;
    return;
  }
  int64_t result;
  if (llvm::AddOverflow(sum, ifOne - ifZero, result))
    result = sum < 0 ? -INT64_MAX + 1 : INT64_MAX - 1;
  sum = result;
}

/// Makes the sum of all costs less than FlowEdge::kInfinite / 2.
void BinaryProblem::fitCosts() {
  long double sum = 0;
  for (int64_t amount : preference)
    sum += isForced(amount) ? 0 : std::abs(static_cast<long double>(amount));
  for (const FlowEdge &arc : arcs)
    for (int64_t cost : {arc.capacity, arc.reverse})
      sum += cost == kInfinite ? 0 : cost;
  while (std::ldexp(sum, -static_cast<int>(shift)) >= FlowEdge::kInfinite / 2)
    ++shift;
  for (int64_t &amount : preference)
    amount = isForced(amount)
                 ? (amount < 0 ? -BinarySolver::kForced : BinarySolver::kForced)
                 : amount / (int64_t(1) << shift);
  for (FlowEdge &arc : arcs)
    for (int64_t *cost : {&arc.capacity, &arc.reverse})
      *cost = *cost == kInfinite ? FlowEdge::kInfinite : *cost >> shift;
}

/// True if reductions have where to begin: variables that dominance decides
/// tend to have few neighbours as well.
bool BinaryProblem::mayReduce() const {
  constexpr unsigned kFew = 2, kRarely = 64;
  auto isDecided = [](int64_t amount) {
    return std::abs(amount) >= BinarySolver::kForced;
  };
  if (llvm::any_of(preference, isDecided))
    return true;
  SmallVector<uint8_t, 0> counts(preference.size(), 0);
  for (const FlowEdge &arc : arcs)
    for (Variable end : {arc.from, arc.to})
      counts[end] += counts[end] <= kFew;
  size_t numShort = llvm::count_if(counts, [](uint8_t n) { return n <= kFew; });
  return numShort >= counts.size() / kRarely + 1;
}

SmallVector<uint8_t, 0> BinaryProblem::cut(ArrayRef<int64_t> terminals,
                                           ArrayRef<FlowEdge> edges,
                                           int64_t workLimit) {
  uint64_t maxWork = uint64_t(workLimit) * std::max(edges.size(), kMinEdges);
  MinimumCut cut = findMinimumCut(terminals, edges, maxWork);
  numCut = terminals.size();
  gap = cut.gap << shift;
  return std::move(cut.isSink);
}

SmallVector<uint8_t, 0> BinaryProblem::solve(int64_t workLimit) {
  fitCosts();
  return mayReduce() ? BinarySolver(*this).solve(workLimit)
                     : cut(preference, arcs, workLimit);
}
