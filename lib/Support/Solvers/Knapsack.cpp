//===- Knapsack.cpp - Which items to take ---------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Items come in the order of value per weight. Of the choices among the first
// of them those are kept that no other choice equals with less weight
// (Nemhauser and Ullmann, "Discrete dynamic programming and capital
// allocation", 1969), and that may still become the best: a choice is worth at
// most what it has and the next items, the last of them in part, that fill the
// rest of the capacity (Dantzig, "Discrete-variable extremum problems", 1957).
// With these items but the part it is a choice itself, so that good ones are
// known early.
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Solvers/Knapsack.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir::hetero;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// The last item of a choice, and the choice without it.
struct Link {
  unsigned before, item;
};
constexpr unsigned kNoLink = ~0u;

/// A choice among the items so far.
struct State {
  int64_t weight, value;
  unsigned link;
};

class KnapsackSolver {
public:
  KnapsackSolver(ArrayRef<KnapsackItem> items, int64_t capacity,
                 size_t maxStates);
  KnapsackChoice run();

private:
  size_t findFilled(size_t next, int64_t room) const;
  int64_t getBound(size_t next, const State &state) const;
  void complete(size_t next);
  void prune(size_t next);
  void extend(size_t next);

  ArrayRef<KnapsackItem> items;
  int64_t capacity;
  size_t maxStates;
  /// Items that fit, by value per weight, and sums of those before each.
  SmallVector<unsigned, 0> order;
  SmallVector<int64_t, 0> weights{0}, values{0};
  /// By weight; the values ascend, too.
  SmallVector<State, 0> states{{0, 0, kNoLink}};
  SmallVector<Link, 0> links;
  /// The best choice: a state, and the items from one to another in `order`.
  State best{0, -1, kNoLink};
  size_t bestFrom = 0, bestTo = 0;
  int64_t dropped = 0;
};
} // namespace

KnapsackSolver::KnapsackSolver(ArrayRef<KnapsackItem> items, int64_t capacity,
                               size_t maxStates)
    : items(items), capacity(capacity), maxStates(maxStates) {
  for (auto [index, item] : llvm::enumerate(items))
    if (item.value > 0 && item.weight <= capacity)
      order.push_back(index);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return static_cast<__int128>(items[a].value) * items[b].weight >
           static_cast<__int128>(items[b].value) * items[a].weight;
  });
  for (unsigned item : order) {
    weights.push_back(weights.back() + items[item].weight);
    values.push_back(values.back() + items[item].value);
  }
}

/// Items from `next` on up to which one fit into the room, in their order.
size_t KnapsackSolver::findFilled(size_t next, int64_t room) const {
  auto end = std::upper_bound(weights.begin() + next, weights.end(),
                              weights[next] + room);
  return end - weights.begin() - 1;
}

int64_t KnapsackSolver::getBound(size_t next, const State &state) const {
  int64_t room = capacity - state.weight;
  size_t filled = findFilled(next, room);
  int64_t bound = state.value + values[filled] - values[next];
  if (filled == order.size())
    return bound;
  const KnapsackItem &part = items[order[filled]];
  room -= weights[filled] - weights[next];
  return bound +
         int64_t(static_cast<__int128>(room) * part.value / part.weight);
}

/// Looks for a better choice among the states with the next items.
void KnapsackSolver::complete(size_t next) {
  for (const State &state : states) {
    size_t filled = findFilled(next, capacity - state.weight);
    int64_t value = state.value + values[filled] - values[next];
    if (value <= best.value)
      continue;
    best = {state.weight + weights[filled] - weights[next], value, state.link};
    bestFrom = next;
    bestTo = filled;
  }
}

/// Forgets what cannot become better than the best.
void KnapsackSolver::prune(size_t next) {
  llvm::erase_if(states, [&](const State &state) {
    return getBound(next, state) <= best.value;
  });
  if (states.size() <= maxStates)
    return;
  SmallVector<int64_t, 0> bounds;
  for (const State &state : states)
    bounds.push_back(getBound(next, state));
  SmallVector<int64_t, 0> sorted = bounds;
  auto *least = sorted.begin() + maxStates;
  std::nth_element(sorted.begin(), least, sorted.end(), std::greater<>());
  dropped = std::max(dropped, *least);
  SmallVector<State, 0> rest;
  for (auto [state, bound] : llvm::zip(states, bounds))
    if (bound > *least)
      rest.push_back(state);
  states = std::move(rest);
}

/// Each state with and without the next item, if nothing lighter is as good.
void KnapsackSolver::extend(size_t next) {
  const KnapsackItem &item = items[order[next]];
  SmallVector<State, 0> merged;
  auto add = [&](State state) {
    if (merged.empty() || state.value > merged.back().value) {
      if (!merged.empty() && merged.back().weight == state.weight)
        merged.pop_back();
      merged.push_back(state);
    }
  };
  auto take = [&](const State &state) {
    links.push_back({state.link, order[next]});
    add({state.weight + item.weight, state.value + item.value,
         unsigned(links.size() - 1)});
  };
  size_t with = 0;
  for (const State &without : states) {
    for (; states[with].weight + item.weight < without.weight; ++with)
      take(states[with]);
    add(without);
  }
  for (; with < states.size(); ++with)
    if (states[with].weight + item.weight <= capacity)
      take(states[with]);
  states = std::move(merged);
}

KnapsackChoice KnapsackSolver::run() {
  for (size_t next = 0; next <= order.size() && !states.empty(); ++next) {
    complete(next);
    prune(next);
    if (next < order.size())
      extend(next);
  }
  KnapsackChoice choice;
  choice.taken.assign(items.size(), false);
  for (unsigned link = best.link; link != kNoLink; link = links[link].before)
    choice.taken[links[link].item] = true;
  for (size_t i = bestFrom; i < bestTo; ++i)
    choice.taken[order[i]] = true;
  choice.weight = best.weight;
  choice.value = best.value;
  choice.bound = std::max(best.value, dropped);
  return choice;
}

KnapsackChoice mlir::hetero::chooseItems(ArrayRef<KnapsackItem> items,
                                         int64_t capacity, size_t maxStates) {
  return KnapsackSolver(items, std::max<int64_t>(capacity, 0), maxStates).run();
}
