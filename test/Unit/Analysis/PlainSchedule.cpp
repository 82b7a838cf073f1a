//===- PlainSchedule.cpp - The best schedules of few tasks ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch and bound over active schedules (Giffler and Thompson, "Algorithms for
// Solving Production-Scheduling Problems", 1960): of what can end the earliest,
// an engine gets this or another that could start before that.
//
//===----------------------------------------------------------------------===//

#include "PlainSchedule.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir::hetero::test;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Most partial schedules that one search looks at.
static constexpr unsigned kMostNodes = 20'000;

namespace {
class Search {
public:
  Search(ArrayRef<PlainTask> tasks, int64_t limit)
      : tasks(tasks), best(limit), ends(tasks.size(), kOpen) {
    for (const PlainTask &task : tasks)
      for (unsigned engine : task.engines)
        free.resize(std::max<size_t>(free.size(), engine + 1), 0);
    tails.assign(tasks.size(), kOpen);
    for (unsigned task = 0; task < tasks.size(); ++task)
      findTail(task);
  }

  PlainMakespan run(int64_t limit) {
    visit(0);
    return {best < limit ? best : INT64_MAX, numNodes <= kMostNodes};
  }
  int64_t getBound() const;

private:
  static constexpr int64_t kOpen = -1;

  int64_t findTail(unsigned task);
  bool isReady(unsigned task) const;
  int64_t getStart(unsigned task) const;
  int64_t boundRest() const;
  void visit(int64_t makespan);
  void start(unsigned task, int64_t makespan);

  ArrayRef<PlainTask> tasks;
  int64_t best;
  /// By task: its end, and the longest way after it.
  SmallVector<int64_t> ends, tails;
  SmallVector<int64_t> free;
  unsigned numNodes = 0;
};
} // namespace

int64_t Search::findTail(unsigned task) {
  if (tails[task] != kOpen)
    return tails[task];
  int64_t tail = 0;
  for (auto [index, other] : llvm::enumerate(tasks))
    if (llvm::is_contained(other.needs, task))
      tail = std::max(tail, other.time + findTail(index));
  return tails[task] = tail;
}

bool Search::isReady(unsigned task) const {
  return ends[task] == kOpen &&
         llvm::all_of(tasks[task].needs,
                      [&](unsigned n) { return ends[n] != kOpen; });
}

int64_t Search::getStart(unsigned task) const {
  int64_t start = 0;
  for (unsigned need : tasks[task].needs)
    start = std::max(start, ends[need]);
  for (unsigned engine : tasks[task].engines)
    start = std::max(start, free[engine]);
  return start;
}

/// What the tasks that have not started need at least.
int64_t Search::boundRest() const {
  int64_t bound = 0;
  SmallVector<int64_t> loads(free);
  for (auto [index, task] : llvm::enumerate(tasks)) {
    if (ends[index] != kOpen)
      continue;
    if (isReady(index))
      bound = std::max(bound, getStart(index) + task.time + tails[index]);
    for (unsigned engine : task.engines)
      bound = std::max(bound, loads[engine] += task.time);
  }
  return bound;
}

void Search::start(unsigned task, int64_t makespan) {
  SmallVector<int64_t> before(free);
  int64_t end = getStart(task) + tasks[task].time;
  ends[task] = end;
  for (unsigned engine : tasks[task].engines)
    free[engine] = end;
  visit(std::max(makespan, end));
  ends[task] = kOpen;
  free = before;
}

void Search::visit(int64_t makespan) {
  if (++numNodes > kMostNodes || std::max(makespan, boundRest()) >= best)
    return;
  int64_t firstEnd = INT64_MAX;
  unsigned first = tasks.size();
  for (unsigned task = 0; task < tasks.size(); ++task) {
    if (!isReady(task))
      continue;
    if (int64_t end = getStart(task) + tasks[task].time; end < firstEnd) {
      firstEnd = end;
      first = task;
    }
  }
  if (first == tasks.size()) {
    best = makespan;
    return;
  }
  start(first, makespan);
  for (unsigned task = 0; task < tasks.size(); ++task)
    if (task != first && isReady(task) && getStart(task) < firstEnd &&
        llvm::any_of(tasks[task].engines, [&](unsigned engine) {
          return llvm::is_contained(tasks[first].engines, engine);
        }))
      start(task, makespan);
}

int64_t Search::getBound() const {
  int64_t bound = boundRest();
  for (auto [task, tail] : llvm::zip_equal(tasks, tails))
    bound = std::max(bound, task.time + tail);
  return bound;
}

int64_t mlir::hetero::test::boundPlainly(ArrayRef<PlainTask> tasks) {
  return Search(tasks, INT64_MAX).getBound();
}

PlainMakespan mlir::hetero::test::scheduleExactly(ArrayRef<PlainTask> tasks,
                                                  int64_t limit) {
  return Search(tasks, limit).run(limit);
}
