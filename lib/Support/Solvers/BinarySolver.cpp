//===- BinarySolver.cpp - Reductions of a binary problem ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three exact reductions before the cut, each linear:
//
// - a variable whose preference is at least the sum of what its arcs can cost
//   takes that value, and its arcs become preferences of its neighbours;
// - a variable with one neighbour always follows it in the same way: its best
//   cost for either value of the neighbour joins the neighbour's preference;
// - a variable between two others leaves a cost of the pair. That is an arc in
//   either direction and a preference of each, since minimizing over a variable
//   keeps the sum submodular.
//
// So chains, trees, rings and everything series-parallel needs no cut at all.
// Ties go to 0 everywhere, which keeps the minimum with the fewest ones: the
// values that it gives to the variables left are those of the smaller problem's
// own such minimum.
//
//===----------------------------------------------------------------------===//

#include "BinarySolver.h"

#include "hetero/Support/Solvers/MaxFlow.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;

static constexpr uint8_t kOpen = 2;
static constexpr uint8_t kEliminated = 3;
/// Cost of an arc that must not be cut: more than all others together.
static constexpr int64_t kInfinite = FlowEdge::kInfinite;
/// Sums of arcs stop here.
static constexpr int64_t kMaxSum = kInfinite * 2;
/// Longest list that is searched for an arc to merge with.
static constexpr unsigned kMaxSearch = 32;

static int64_t addCapacity(int64_t a, int64_t b) {
  return std::min(a + b, kInfinite);
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

/// clear() would keep it.
template <typename T> static void freeMemory(SmallVector<T, 0> &vector) {
  SmallVector<T, 0> last(std::move(vector));
}

BinarySolver::BinarySolver(BinaryProblem &problem) : problem(problem) {
  states.reserve(problem.preference.size());
  for (int64_t preference : problem.preference)
    states.push_back({preference, 0, 0, kOpen});
  freeMemory(problem.preference); // Not needed any more.
  buildNeighbours();
  mergeParallel();
}

void BinarySolver::buildNeighbours() {
  ArrayRef<FlowEdge> arcs = problem.arcs;
  for (const FlowEdge &arc : arcs) {
    ++states[arc.from].size;
    ++states[arc.to].size;
  }
  Slot next = 0;
  for (State &state : states) {
    state.begin = next;
    next += state.size;
    state.size = 0;
  }
  slots.resize_for_overwrite(next);
  for (const FlowEdge &arc : arcs) {
    Slot tail = states[arc.from].begin + states[arc.from].size++;
    Slot head = states[arc.to].begin + states[arc.to].size++;
    slots[tail] = {arc.to, head, arc.capacity, arc.reverse};
    slots[head] = {arc.from, tail, arc.reverse, arc.capacity};
  }
}

/// One entry per pair of variables. Long lists are merged as well: a table
/// remembers the entry of each other variable.
void BinarySolver::mergeParallel() {
  constexpr Slot kNoSlot = ~0u;
  SmallVector<Slot, 0> known(states.size(), kNoSlot);
  for (Variable variable = 0; variable < states.size(); ++variable) {
    State &state = states[variable];
    for (Slot slot = state.begin; slot < state.begin + state.size;) {
      Neighbour &entry = slots[slot];
      Slot &first = known[entry.other];
      if (first == kNoSlot) {
        first = slot++;
        continue;
      }
      Neighbour &kept = slots[first], &mate = slots[kept.mate];
      kept.out = mate.in = addCapacity(kept.out, entry.out);
      kept.in = mate.out = addCapacity(kept.in, entry.in);
      removeSlot(entry.other, entry.mate);
      removeSlot(variable, slot);
    }
    for (const Neighbour &entry : getNeighbours(variable))
      known[entry.other] = kNoSlot;
  }
}

/// The last entry of the range takes the place of this one.
void BinarySolver::removeSlot(Variable variable, Slot slot) {
  State &state = states[variable];
  Slot last = state.begin + --state.size;
  if (slot == last)
    return;
  slots[slot] = slots[last];
  slots[slots[slot].mate].mate = slot;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

void BinarySolver::push(Variable variable) {
  if (states[variable].value != kOpen || states[variable].isQueued)
    return;
  states[variable].isQueued = true;
  worklist.push_back(variable);
}

void BinarySolver::addPreference(Variable variable, int64_t amount) {
  int64_t &sum = states[variable].preference;
  if (std::abs(sum) < kForced)
    sum = std::clamp(sum + amount, -kForced, kForced);
}

void BinarySolver::reduce() {
  for (Variable variable = 0; variable < states.size(); ++variable)
    push(variable);
  while (worklistHead < worklist.size()) {
    Variable variable = worklist[worklistHead++];
    states[variable].isQueued = false;
    if (states[variable].value == kOpen)
      visit(variable);
  }
}

void BinarySolver::visit(Variable variable) {
  if (decideByDominance(variable))
    return;
  if (states[variable].size <= 2)
    eliminate(variable);
}

bool BinarySolver::decideByDominance(Variable variable) {
  int64_t sumOut = 0, sumIn = 0;
  for (const Neighbour &entry : getNeighbours(variable)) {
    sumOut = std::min(sumOut + entry.out, kMaxSum);
    sumIn = std::min(sumIn + entry.in, kMaxSum);
  }
  bool isZero = states[variable].preference >= sumOut;
  bool isOne = states[variable].preference < -sumIn;
  if (isZero || isOne)
    decide(variable, isOne);
  return isZero || isOne;
}

void BinarySolver::decide(Variable variable, bool isOne) {
  states[variable].value = isOne;
  while (states[variable].size != 0) {
    Slot slot = states[variable].begin + states[variable].size - 1;
    Neighbour entry = slots[slot];
    int64_t amount = isOne ? -entry.in : entry.out;
    if (std::abs(amount) >= kInfinite)
      amount = isOne ? -kForced * 2 : kForced * 2;
    if (std::abs(amount) > kForced)
      states[entry.other].preference = isOne ? -kForced : kForced;
    else
      addPreference(entry.other, amount);
    removeSlot(entry.other, entry.mate);
    --states[variable].size;
    push(entry.other);
  }
}

/// Cost of a variable's value besides its preference.
static int64_t getArcCost(const BinarySolver::Neighbour &entry, bool isOne,
                          bool isOtherOne) {
  if (isOne == isOtherOne)
    return 0;
  return isOne ? entry.in : entry.out;
}

void BinarySolver::eliminate(Variable variable) {
  Elimination elimination{variable, states[variable].preference, 0, {}};
  for (const Neighbour &entry : getNeighbours(variable))
    elimination.neighbours[elimination.size++] = entry;
  states[variable].value = kEliminated;
  eliminations.push_back(elimination);
  const Neighbour &a = elimination.neighbours[0];
  if (elimination.size == 2)
    return join(a, elimination.neighbours[1], elimination);
  auto getBest = [&](bool isOtherOne) {
    return std::min(getArcCost(a, false, isOtherOne),
                    elimination.preference + getArcCost(a, true, isOtherOne));
  };
  // With no neighbour left, dominance has decided.
  addPreference(a.other, getBest(true) - getBest(false));
  removeSlot(a.other, a.mate);
  push(a.other);
}

/// The pair's cost f(a, b), with the variable at its best, as preferences and
/// arcs of the two.
void BinarySolver::join(const Neighbour &a, const Neighbour &b,
                        const Elimination &elimination) {
  auto f = [&](bool isAOne, bool isBOne) {
    int64_t zero = getArcCost(a, false, isAOne) + getArcCost(b, false, isBOne);
    int64_t one = elimination.preference + getArcCost(a, true, isAOne) +
                  getArcCost(b, true, isBOne);
    return std::min(zero, one);
  };
  int64_t f00 = f(0, 0), f01 = f(0, 1), f10 = f(1, 0), f11 = f(1, 1);
  // The share of a: every amount within these bounds leaves arcs of costs
  // that are not negative.
  bool isOpenBelow = f01 >= kInfinite / 2, isOpenAbove = f10 >= kInfinite / 2;
  int64_t share = 0;
  if (!isOpenAbove)
    share = std::min(share, f10 - f00);
  if (!isOpenBelow)
    share = std::max(share, f11 - f01);
  int64_t rest = f11 - f00 - share;
  addPreference(a.other, share);
  addPreference(b.other, rest);
  int64_t toB = isOpenBelow ? kInfinite : f01 - f00 - rest;
  int64_t toA = isOpenAbove ? kInfinite : f10 - f00 - share;
  push(a.other);
  push(b.other);

  Variable shorter =
      states[a.other].size <= states[b.other].size ? a.other : b.other;
  Variable longer = shorter == a.other ? b.other : a.other;
  int64_t out = shorter == a.other ? toB : toA;
  int64_t in = shorter == a.other ? toA : toB;
  Slot mine = shorter == a.other ? a.mate : b.mate;
  Slot theirs = shorter == a.other ? b.mate : a.mate;
  Neighbour *known = nullptr;
  if (states[shorter].size <= kMaxSearch)
    for (Neighbour &entry : MutableArrayRef(slots).slice(states[shorter].begin,
                                                         states[shorter].size))
      if (entry.other == longer)
        known = &entry;
  if (known) {
    Neighbour &mate = slots[known->mate];
    known->out = mate.in = addCapacity(known->out, out);
    known->in = mate.out = addCapacity(known->in, in);
  } else if (out != 0 || in != 0) {
    slots[mine] = {longer, theirs, out, in};
    slots[theirs] = {shorter, mine, in, out};
    return;
  }
  removeSlot(shorter, mine);
  removeSlot(longer, theirs);
}

//===----------------------------------------------------------------------===//
// Solution
//===----------------------------------------------------------------------===//

/// What is left is numbered along its arcs, for the sake of the caches.
void BinarySolver::cutRest(int64_t workLimit) {
  constexpr unsigned kUnnumbered = ~0u;
  SmallVector<unsigned, 0> numbers(states.size(), kUnnumbered);
  SmallVector<Variable, 0> rest;
  SmallVector<int64_t, 0> terminals;
  auto add = [&](Variable variable) {
    if (numbers[variable] != kUnnumbered)
      return;
    numbers[variable] = rest.size();
    rest.push_back(variable);
    terminals.push_back(states[variable].preference);
  };
  for (Variable seed = 0; seed < states.size(); ++seed) {
    if (states[seed].value != kOpen)
      continue;
    unsigned next = rest.size();
    for (add(seed); next < rest.size(); ++next)
      for (const Neighbour &entry : getNeighbours(rest[next]))
        add(entry.other);
  }
  if (rest.empty())
    return;
  SmallVector<FlowEdge, 0> edges(std::move(problem.arcs));
  edges.clear();
  for (Variable variable : rest)
    for (const Neighbour &entry : getNeighbours(variable))
      if (numbers[variable] < numbers[entry.other])
        edges.push_back(
            {numbers[variable], numbers[entry.other], entry.out, entry.in});
  // The network takes as much memory: that of the slots will do.
  freeMemory(slots);
  SmallVector<uint8_t, 0> values = problem.cut(terminals, edges, workLimit);
  for (auto [variable, value] : llvm::zip_equal(rest, values))
    states[variable].value = value;
}

/// Eliminated variables, last first, take their best value.
void BinarySolver::substitute() {
  for (const Elimination &elimination : llvm::reverse(eliminations)) {
    int64_t zero = 0, one = elimination.preference;
    for (const Neighbour &entry :
         ArrayRef(elimination.neighbours, elimination.size)) {
      bool isOtherOne = states[entry.other].value;
      zero += getArcCost(entry, false, isOtherOne);
      one += getArcCost(entry, true, isOtherOne);
    }
    states[elimination.variable].value = one < zero;
  }
}

SmallVector<uint8_t, 0> BinarySolver::solve(int64_t workLimit) {
  reduce();
  cutRest(workLimit);
  substitute();
  SmallVector<uint8_t, 0> values;
  values.reserve(states.size());
  for (const State &state : states)
    values.push_back(state.value);
  return values;
}
